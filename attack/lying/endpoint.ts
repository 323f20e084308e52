import type fc from 'fast-check';
import type { EnclaveChats } from './enclave-chats';
import type { Lie } from './lies';
import type { Answer, Scenario, SeenRequest } from './scenario';

/** Groups of endpoints. The full attack falsifies 10,000 answers of each group. */
export const FAMILIES = ['books', 'keys', 'chains', 'models', 'chats', 'media', 'money'] as const;
export type Family = (typeof FAMILIES)[number];

/** Input from which an endpoint makes its answer. */
export interface Asked {
  request: SeenRequest;
  query: URLSearchParams;
  scenario: Scenario;
  chats: EnclaveChats;
  /** Origin of the gateway. */
  origin: string;
}

/** Gateway endpoint that clients call: its honest answer, and the lies specific to it. */
export interface Endpoint {
  id: string;
  family: Family;
  method: string;
  /** Matches the path that follows the scenario's prefix. */
  path: RegExp;
  answer(asked: Asked): Answer;
  /** Lies that are specific to this endpoint. */
  lies?: fc.Arbitrary<Lie>;
  /** Applies an endpoint-specific lie to an honest answer. */
  falsify?: (answer: Answer, lie: Extract<Lie, { kind: 'own' }>, asked: Asked) => Answer;
}

export const json = (value: unknown, headers: Record<string, string> = {}, status = 200): Answer => ({
  status,
  headers: { 'x-request-id': 'req-1', ...headers },
  json: value,
});
