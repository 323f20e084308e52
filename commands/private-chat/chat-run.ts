import { writeFileSync } from 'node:fs';
import type { TurnpikeClientOptions } from '@/lib/client';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import type { PrivateChatSession } from '@/lib/client/private-chat';
import { UsageError } from '../verify-attestation/usage-error';
import type { ChatOptions } from './options';

/** Functions and state of the process that the command uses. */
export interface ChatContext {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  lines: AsyncIterable<string>;
  signal: AbortSignal;
}

/** State of one run: session, options and results. */
export interface ChatRun {
  session: PrivateChatSession;
  options: ChatOptions;
  model: ChatModelInfo;
  connection: TurnpikeClientOptions;
  context: ChatContext;
  /** Last attested address or key; null before the first attestation. */
  attestedKey: string | null;
  /** True if the key of an answer was attested only afterwards. */
  hasLateKey: boolean;
}

/** Writes an attestation to a file. @throws {UsageError} */
export function keepExport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
