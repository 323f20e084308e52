import { asObject, asString, type JsonObject } from './json-shape';
import { Malformed } from './malformed';

/**
 * An attestation report as a verifier needs it, from the gateway's form or that of enclaves of the NEAR AI and
 * Phala family. All of it is what somebody says; null is what is not said.
 */
export interface AttestationReport {
  model: string | null;
  nonce: string | null;
  /** Hex or base64. */
  quote: string | null;
  /** Hex, with or without 04. */
  signingKey: string | null;
  signingAddress: string | null;
  /** Parsed JSON, not read yet. */
  eventLog: unknown;
  /** The compose file of the application, as text. */
  appCompose: string | null;
  /** Parsed JSON, not read yet. */
  collateral: unknown;
  /** NVIDIA's evidence: `{nonce, arch, evidence_list}` as a JSON string. */
  nvidiaPayload: string | null;
  /** What NVIDIA's attestation service said of the evidence, as it came. */
  nvidiaVerdict: unknown;
  /** The keys of that service with their certificates, as a JSON Web Key Set. Parsed JSON, not read yet. */
  nvidiaKeys: unknown;
  /** Why there is no verdict, in whoever's words. */
  nvidiaFault: string | null;
}

const TEXT_MAX = 4_194_304;

/** Reads a report. Further fields are left out, `verified` above all. @throws {Malformed} for a field of another type */
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

/** `info.tcb_info` is an object from some services and JSON in a string from others. */
function appComposeOf(info: unknown): string | null {
  const outer = parsedIfText(info);
  const inner = isObject(outer) ? parsedIfText(outer['tcb_info']) : null;
  const compose = isObject(inner) ? inner['app_compose'] : null;
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

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
