import type { CallCredential, RpcAnswer } from '@/lib/client';
import type { RequestCall } from './request-text';

export interface SentRequest {
  network: string;
  text: string;
  calls: readonly RequestCall[];
  credential: CallCredential | null;
  idempotencyKey: string | null;
}

export type RpcCallState =
  | { status: 'idle' }
  | { status: 'sending'; request: SentRequest }
  | { status: 'answered'; request: SentRequest; answer: RpcAnswer }
  | { status: 'failed'; request: SentRequest; error: Error };

export type PerformedCall = Extract<RpcCallState, { status: 'answered' | 'failed' }>;
