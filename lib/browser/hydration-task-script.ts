/**
 * Has Next begin to hydrate in a task of its own instead of at the end of the one that compiles the last of its code,
 * which together held a phone for longer than either (docs/decisions.md, 248). Next does so for whatever waits in
 * `__next_s`, where `next/script` puts scripts that come before it; this one is empty. Runs as an inline script in
 * the document head.
 */
export const HYDRATION_TASK_SCRIPT = `(self.__next_s=self.__next_s||[]).push([0,{children:''}])`;
