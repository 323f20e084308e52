import { asObject, asString, type JsonObject, parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import type { ExpectedReport } from '../verify-enclave';

/**
 * What a provider, and the services behind its report, answered when somebody attested a model: a folder with
 * `manifest.json` and, for each answer, `responses/NNNN_NAME.json` (`method`, `url`, `status`, `headers`) and
 * `responses/NNNN_NAME.body` (the bytes). It is all that it takes to verify the report again without a network.
 */
export interface RecordedResponse {
  method: string;
  url: string;
  status: number;
  /** By their lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Null for a body that is longer than `BODY_BYTES_MAX`, which nobody reads. */
  body: Uint8Array | null;
}

/** No report, list or document is longer. */
export const BODY_BYTES_MAX = 16_777_216;
export const RESPONSES_MAX = 512;
export const MANIFEST = 'manifest.json';
export const RESPONSES = 'responses';

export interface RecordingManifest extends ExpectedReport {
  /** Milliseconds since 1970. */
  capturedAtMs: number;
  /** The root of a simulator, DER in base64, where the recording is of one; null otherwise. It can only ever make a verdict of "simulated". */
  simulatedRoot: string | null;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Reads `manifest.json`: `nonce_hex`, `captured_at`, `model` (or null) and a simulator's `simulated_root`; further members are left out. @throws {Malformed} */
export function readManifest(text: string): RecordingManifest {
  const json = parseJsonObject(text, MANIFEST);
  const optional = (name: string) => (json[name] == null ? null : asString(json[name], `${MANIFEST}.${name}`));
  return {
    nonce: optional('nonce_hex'),
    model: optional('model'),
    capturedAtMs: timeOf(json['captured_at']),
    simulatedRoot: optional('simulated_root'),
  };
}

/** Reads what stands beside a body. @throws {Malformed} */
export function readResponseHead(text: string, path: string): Omit<RecordedResponse, 'body'> {
  const json = parseJsonObject(text, path);
  const { status } = json;
  if (typeof status !== 'number') throw new Malformed(`${path}.status must be a number.`);
  return {
    method: asString(json['method'], `${path}.method`),
    url: asString(json['url'], `${path}.url`),
    status,
    headers: headersOf(asObject(json['headers'] ?? {}, `${path}.headers`)),
  };
}

function headersOf(json: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => {
      const first: unknown = Array.isArray(value) ? value[0] : value;
      return typeof first === 'string' ? [[name.toLowerCase(), first] as const] : [];
    }),
  );
}

/** In ISO 8601, in any zone; clocks of some recorders have nanoseconds. */
function timeOf(value: unknown): number {
  const text = asString(value, `${MANIFEST}.captured_at`);
  const timeMs = TIME.test(text) ? Date.parse(text.replace(/(\.\d{3})\d+/, '$1')) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new Malformed(`${MANIFEST}.captured_at must be a time in ISO 8601.`);
  return timeMs;
}
