// FreeRTOS heap_4: N operations with sizes that are not known keep blocks apart, inside the heap and aligned.
// source: FreeRTOS/FreeRTOS-Kernel
// include: include portable/MemMang
// unwind: N+3
// sizes: 2
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
// What the kernel's headers would say.
#define INC_FREERTOS_H
#define INC_TASK_H
#define PRIVILEGED_DATA
#define PRIVILEGED_FUNCTION
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configAPPLICATION_ALLOCATED_HEAP 0
#define configENABLE_HEAP_PROTECTOR 0
#define configUSE_MALLOC_FAILED_HOOK 0
#define configTOTAL_HEAP_SIZE 512
#define configASSERT(x) assert(x)
#define portBYTE_ALIGNMENT 8
#define portBYTE_ALIGNMENT_MASK 7
#define portPOINTER_SIZE_TYPE uintptr_t
#define mtCOVERAGE_TEST_MARKER()
#define traceMALLOC(p, size)
#define traceFREE(p, size)
#define taskENTER_CRITICAL()
#define taskEXIT_CRITICAL()
#define portMAX_DELAY 0
typedef struct { size_t xAvailableHeapSpaceInBytes, xSizeOfLargestFreeBlockInBytes, xSizeOfSmallestFreeBlockInBytes,
    xNumberOfFreeBlocks, xMinimumEverFreeBytesRemaining, xNumberOfSuccessfulAllocations, xNumberOfSuccessfulFrees; } HeapStats_t;
typedef long BaseType_t;
static void vTaskSuspendAll(void) {}
static BaseType_t xTaskResumeAll(void) { return 0; }
#include "heap_4.c"
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char *held = 0;
  size_t length = 0;
  for (int i = 0; i < N; i++) {
    if (held && __VERIFIER_nondet_uchar() % 2) {
      vPortFree(held);
      held = 0;
    } else {
      size_t size = __VERIFIER_nondet_uchar() % 64 + 1;
      unsigned char *p = pvPortMalloc(size);
      if (p) {
        assert((uintptr_t)p % portBYTE_ALIGNMENT == 0);
        assert(p >= ucHeap && p + size <= ucHeap + configTOTAL_HEAP_SIZE);
        assert(!held || p + size <= held || held + length <= p);
        held = p;
        length = size;
      }
    }
  }
  assert(xPortGetFreeHeapSize() <= configTOTAL_HEAP_SIZE);
  return 0;
}
