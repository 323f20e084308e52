import { asObject, asString, type JsonObject, parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import type { ExpectedReport } from '../verify-enclave';

/**
 * Recorded answer of a provider or of an endorsement service. A recording is a folder with `manifest.json` and two
 * files per answer. `responses/NNNN_NAME.json` has `method`, `url`, `status` and `headers`; `responses/NNNN_NAME.body`
 * has the bytes.
 */
export interface RecordedResponse {
  method: string;
  url: string;
  status: number;
  /** Headers by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** Null if the body is longer than `BODY_BYTES_MAX`. */
  body: Uint8Array | null;
}

export const BODY_BYTES_MAX = 16_777_216;
export const RESPONSES_MAX = 512;
export const MANIFEST = 'manifest.json';
export const RESPONSES = 'responses';

export interface RecordingManifest extends ExpectedReport {
  /** Unix milliseconds. */
  capturedAtMs: number;
  /** Simulator's root, base64 of DER. With this root the best verdict is "simulated". */
  simulatedRoot: string | null;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses `manifest.json`: `nonce_hex`, `captured_at`, `model` and `simulated_root`. Only `captured_at` is required.
 *
 * @throws {Malformed}
 */
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

/**
 * Parses the JSON file that describes an answer.
 *
 * @throws {Malformed}
 */
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

function timeOf(value: unknown): number {
  const text = asString(value, `${MANIFEST}.captured_at`);
  const timeMs = TIME.test(text) ? Date.parse(text.replace(/(\.\d{3})\d+/, '$1')) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new Malformed(`${MANIFEST}.captured_at must be a time in ISO 8601.`);
  return timeMs;
}
