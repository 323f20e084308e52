import { isRecord } from '@/lib/protocol/json-record';
import { asObject, asString, type JsonObject } from './json-shape';
import { Malformed } from './malformed';

/** Attestation report in the format of the gateway, or of NEAR AI and Phala. Unverified; absent members are null. */
export interface AttestationReport {
  model: string | null;
  nonce: string | null;
  /** Hex or base64. */
  quote: string | null;
  /** Hex, with or without the prefix 04. */
  signingKey: string | null;
  signingAddress: string | null;
  /** Unvalidated JSON. */
  eventLog: unknown;
  appCompose: string | null;
  /** Unvalidated JSON. */
  collateral: unknown;
  /** NVIDIA's evidence, `{nonce, arch, evidence_list}`, as a JSON string. */
  nvidiaPayload: string | null;
  nvidiaVerdict: unknown;
  /** Unvalidated JSON Web Key Set of NVIDIA's attestation service, with certificates. */
  nvidiaKeys: unknown;
  /** NVIDIA's error message if its service returned no verdict. */
  nvidiaFault: string | null;
}

const TEXT_MAX = 4_194_304;

/**
 * Parses a report. Ignores unknown members and `verified`.
 *
 * @throws {Malformed} if a member has the wrong type
 */
export function readAttestationReport(value: unknown): AttestationReport {
  const json = asObject(value, 'report');
  const text = (...names: string[]) => firstText(json, names);
  return {
    model: text('model', 'model_name'),
    nonce: text('nonce', 'request_nonce'),
    quote: text('intel_quote'),
    signingKey: text('signing_key', 'signing_public_key'),
    signingAddress: text('signing_address'),
    eventLog: parsedIfText(json['event_log']),
    appCompose: appComposeOf(json['info']),
    collateral: json['collateral'] ?? null,
    nvidiaPayload: payloadText(json['nvidia_payload']),
    nvidiaVerdict: json['nvidia_verdict'] ?? null,
    nvidiaKeys: json['nvidia_keys'] ?? null,
    nvidiaFault: text('nvidia_fault'),
  };
}

function firstText(json: JsonObject, names: readonly string[]): string | null {
  const name = names.find((candidate) => json[candidate] != null && json[candidate] !== '');
  if (name === undefined) return null;
  const text = asString(json[name], `report.${name}`);
  if (text.length > TEXT_MAX) throw new Malformed(`report.${name} is too long.`);
  return text;
}

/** `info.tcb_info` is an object from some services and a JSON string from others. */
function appComposeOf(info: unknown): string | null {
  const outer = parsedIfText(info);
  const inner = isRecord(outer) ? parsedIfText(outer['tcb_info']) : null;
  const compose = isRecord(inner) ? inner['app_compose'] : null;
  return typeof compose === 'string' && compose.length <= TEXT_MAX ? compose : null;
}

function payloadText(value: unknown): string | null {
  if (value == null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsedIfText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > TEXT_MAX) return value ?? null;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return null;
  }
}
