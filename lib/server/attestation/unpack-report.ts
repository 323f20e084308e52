import { assertBoundedJson } from '@/lib/protocol/tee/json-bounds';

type Json = Readonly<Record<string, unknown>>;

/** Report of the requested enclave, separated from the other parts of an answer. */
export interface UnpackedReport {
  report: Json;
  /** Attestation of a proxy in front of the enclaves, if any. */
  gateway: Json | null;
  /** Reports of other enclaves, of this model or of other models. */
  others: Json[];
}

const LISTS = ['model_attestations', 'all_attestations'] as const;

/**
 * Finds a model's report in an answer of the NEAR AI and Phala family. The answer either is the report, with other
 * nodes' reports in `all_attestations`, or contains `model_attestations` and `gateway_attestation` (NEAR AI's proxy).
 * Considers reports with the model's name, else reports without any model name, else the only report. Prefers a report
 * with a quote and a public key.
 * @returns null if there is no report
 */
export function unpackReport(body: Buffer, model: string): UnpackedReport | null {
  const json = objectOf(parsed(body));
  if (json === null) return null;
  const gateway = objectOf(json['gateway_attestation']);
  const listed = LISTS.flatMap((name) => (Array.isArray(json[name]) ? (json[name] as unknown[]) : []))
    .map(objectOf)
    .filter((each) => each !== null);
  if (has(json, 'intel_quote') || listed.length === 0) {
    const others = listed.filter((each) => each['signing_address'] !== json['signing_address']);
    return listed.length === 0 && gateway !== null ? null : { report: without(json), gateway, others };
  }
  const ofModel = listed.filter((each) => nameOf(each) === model);
  const candidates = ofModel.length > 0 ? ofModel : listed.filter((each) => nameOf(each) === null);
  const report =
    candidates.find(
      (each) => has(each, 'intel_quote') && (has(each, 'signing_public_key') || has(each, 'signing_key')),
    ) ??
    candidates[0] ??
    (listed.length === 1 ? listed[0] : undefined);
  return report === undefined ? null : { report, gateway, others: listed.filter((each) => each !== report) };
}

function nameOf(report: Json): string | null {
  const name = report['model_name'] ?? report['model'];
  return typeof name === 'string' ? name : null;
}

function has(report: Json, name: string): boolean {
  return typeof report[name] === 'string' && report[name] !== '';
}

function without(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).filter(
      ([name]) => name !== 'gateway_attestation' && !(LISTS as readonly string[]).includes(name),
    ),
  );
}

function objectOf(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function parsed(body: Buffer): unknown {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    assertBoundedJson(json, 'report');
    return json;
  } catch {
    return null;
  }
}
