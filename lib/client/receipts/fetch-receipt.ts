import { list, members, object, oneOf, type Schema, text } from '../answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from '../exchange';

const KEYS_PATH = '/.well-known/jwks.json';

export interface SignedReceipt {
  format: 'jws';
  signature: string;
}

const signedReceipt: Schema<SignedReceipt> = object({ format: oneOf(['jws']), signature: text });
const keyList = object({ keys: list(members) });

export async function fetchReceipt(
  options: TurnpikeClientOptions,
  requestId: string,
  callOptions?: CallOptions,
): Promise<SignedReceipt> {
  const path = `/api/v1/receipts/${encodeURIComponent(requestId)}`;
  return fitting(signedReceipt, await exchanger(options)('GET', path, callOptions));
}

export async function fetchReceiptKeys(
  options: Pick<TurnpikeClientOptions, 'baseUrl' | 'fetch'>,
  callOptions?: CallOptions,
): Promise<unknown> {
  return fitting(keyList, await exchanger(options)('GET', KEYS_PATH, callOptions));
}

/** Fetches the attestation report of a receipt; null if the gateway no longer stores the report. */
export async function fetchKeptReport(
  options: Pick<TurnpikeClientOptions, 'baseUrl' | 'fetch'>,
  sha256: string,
  callOptions: CallOptions = {},
): Promise<Uint8Array | null> {
  const answer = await exchanger(options)('GET', `/api/v1/tee/reports/${encodeURIComponent(sha256)}`, {
    ...callOptions,
    absentStatus: 404,
  });
  return answer.absent ? null : new TextEncoder().encode(answer.bodyText);
}
