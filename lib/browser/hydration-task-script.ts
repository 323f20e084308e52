/**
 * Inline script in the document head that makes Next hydrate in its own task, not in the task that compiles the last
 * code (docs/decisions/console.md, 248). `next/script` queues scripts in `__next_s`, and Next defers hydration while
 * the queue has an entry. This script adds an empty entry.
 */
export const HYDRATION_TASK_SCRIPT = `(self.__next_s=self.__next_s||[]).push([0,{children:''}])`;
