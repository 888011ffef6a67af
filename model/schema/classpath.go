package schema

import "strings"

// javaClasses are some that every virtual machine has.
const javaClasses = " Boolean Byte Character Class Double Enum Error Exception Float Integer Iterable Long Math Number Object Process Record Runnable Runtime Short String StringBuilder System Thread Throwable Void "

// besideStrategies are the classes of the strategies' package that are none.
const besideStrategies = ` AbstractCompactionTask AbstractStrategyHolder ActiveCompactions ActiveCompactionsTracker CompactionController
	CompactionHistoryTabularData CompactionInfo CompactionInterruptedException CompactionIterator CompactionLogger CompactionManager
	CompactionManagerMBean CompactionStrategyHolder CompactionStrategyManager CompactionTask CompactionTasks ICompactionManager LeveledCompactionTask
	LeveledGenerations LeveledManifest OperationType PendingRepairHolder PendingRepairManager SSTableSplitter ShardManager ShardManagerDiskAware
	ShardManagerNoDisks ShardManagerTrivial ShardTracker SingleSSTableLCSTask SizeTieredCompactionStrategyOptions TimeWindowCompactionController
	TimeWindowCompactionStrategyOptions TimeWindowCompactionTask Upgrader `

// besideCompressors are the classes of the compressors' package that are none.
const besideCompressors = ` BufferType CompressedSequentialWriter CompressionMetadata CorruptBlockException ICompressor ZstdCompressorBase `

// onClasspath says whether a node finds a class of that name, which serves for
// something else.
func onClasspath(class string) bool {
	at := strings.LastIndexByte(class, '.')
	known := map[string]string{"java.lang.": javaClasses, compactionPackage: besideStrategies, compressPackage: besideCompressors}[class[:at+1]]
	for _, name := range strings.Fields(known) {
		if name == class[at+1:] {
			return true
		}
	}
	return false
}
