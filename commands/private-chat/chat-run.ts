import { writeFileSync } from 'node:fs';
import type { TurnpikeClientOptions } from '@/lib/client';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import type { PrivateChatSession } from '@/lib/client/private-chat';
import { UsageError } from '../verify-attestation/usage-error';
import type { ChatOptions } from './options';

/** What a run of the command has of the process. */
export interface ChatContext {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Lines that a person types. */
  lines: AsyncIterable<string>;
  signal: AbortSignal;
}

/** The chat of one run: its session, and what goes with it. */
export interface ChatRun {
  session: PrivateChatSession;
  options: ChatOptions;
  model: ChatModelInfo;
  connection: TurnpikeClientOptions;
  context: ChatContext;
  /** The address or key that was attested last; null before the first attestation. */
  attestedKey: string | null;
  /** Whether an answer was signed by a key that was attested only after it. */
  hasLateKey: boolean;
}

/** Keeps an attestation in a file. @throws {UsageError} */
export function keepExport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
