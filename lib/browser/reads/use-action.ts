'use client';

import { useRef, useState } from 'react';

type Progress<Input, Output> =
  | { status: 'idle' }
  | ({ input: Input } & (
      | { status: 'running' }
      | { status: 'done'; data: Output }
      | { status: 'failed'; error: Error }
    ));

export interface Action<Input, Output> {
  /** Runs the action. Ignores the result of an earlier run that is still in progress. Never rejects. */
  run: (input: Input) => Promise<void>;
  input: Input | undefined;
  isPending: boolean;
  isDone: boolean;
  data: Output | undefined;
  error: Error | null;
}

export function useAction<Output, Input = void>(act: (input: Input) => Promise<Output>): Action<Input, Output> {
  const [progress, setProgress] = useState<Progress<Input, Output>>({ status: 'idle' });
  const turn = useRef(0);
  const run = async (input: Input) => {
    const mine = ++turn.current;
    const enter = (next: Progress<Input, Output>) => turn.current === mine && setProgress(next);
    enter({ status: 'running', input });
    try {
      enter({ status: 'done', input, data: await act(input) });
    } catch (thrown) {
      enter({ status: 'failed', input, error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    }
  };
  return {
    run,
    input: progress.status === 'idle' ? undefined : progress.input,
    isPending: progress.status === 'running',
    isDone: progress.status === 'done',
    data: progress.status === 'done' ? progress.data : undefined,
    error: progress.status === 'failed' ? progress.error : null,
  };
}
