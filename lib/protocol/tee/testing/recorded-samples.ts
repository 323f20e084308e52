import fs from 'node:fs';
import path from 'node:path';

/** Genuine TDX quote with its collateral, and a time at which both are valid. */
interface RecordedSample {
  quote: Uint8Array;
  collateral: Record<string, string>;
  nowMs: number;
}

/**
 * Reads the recorded quote in the folder that `ATTESTATION_SAMPLES` names. Returns null and logs a notice if the
 * variable is unset.
 */
export function recordedSample(): RecordedSample | null {
  const folder = samplesFolder();
  if (folder === null) return null;
  const file = (name: string) => fs.readFileSync(path.join(folder, 'tdx', name));
  return {
    quote: new Uint8Array(file('tdx_quote_v4.bin')),
    collateral: JSON.parse(file('tdx_quote_v4_collateral.json').toString('utf8')) as Record<string, string>,
    nowMs: Date.UTC(2025, 5, 25),
  };
}

interface RecordedExchange {
  /** 64 hex characters. */
  nonce: string;
  nowMs: number;
  /** Attestation report from an enclave, with the collateral and NVIDIA's verdict at the time of the recording. */
  report: Record<string, unknown>;
}

interface Recording {
  headers: Record<string, string[]>;
  body: Buffer;
}

/** Reads the exchange in the folder `name`. Returns null and logs a notice if `ATTESTATION_SAMPLES` is unset. */
export function recordedExchange(name: string): RecordedExchange | null {
  const folder = samplesFolder();
  if (folder === null) return null;
  const at = path.join(folder, 'recordings', name);
  const manifest = JSON.parse(fs.readFileSync(path.join(at, 'manifest.json'), 'utf8')) as {
    nonce_hex: string;
    captured_at: string;
  };
  const names = fs
    .readdirSync(path.join(at, 'responses'))
    .filter((each) => each.endsWith('.json'))
    .sort();
  const first = (pattern: RegExp): Recording => {
    const found = names.find((each) => pattern.test(each));
    if (found === undefined) throw new Error(`${name} has no recording of ${pattern}.`);
    const file = path.join(at, 'responses', found);
    const { headers } = JSON.parse(fs.readFileSync(file, 'utf8')) as { headers?: Record<string, string[]> };
    return { headers: headers ?? {}, body: fs.readFileSync(file.replace(/\.json$/, '.body')) };
  };
  const report = JSON.parse(first(/^0001_/).body.toString('utf8')) as Record<string, unknown>;
  const nvidia = {
    nvidia_verdict: JSON.parse(first(/attest_gpu/).body.toString('utf8')) as unknown,
    nvidia_keys: JSON.parse(first(/jwks/).body.toString('utf8')) as unknown,
  };
  return {
    nonce: manifest.nonce_hex,
    nowMs: Date.parse(manifest.captured_at),
    report: { ...report, collateral: collateralFrom(first), ...nvidia },
  };
}

function collateralFrom(first: (pattern: RegExp) => Recording): Record<string, string> {
  const [tcb, identity, pckCrl, rootCrl] = [
    first(/v4_tcb/),
    first(/qe_identity/),
    first(/pckcrl/),
    first(/intelsgxrootca/),
  ];
  const chain = ({ headers }: Recording, header: string) => decodeURIComponent(headers[header]?.[0] ?? '');
  const [info, identified] = [signedPart(tcb.body, 'tcbInfo'), signedPart(identity.body, 'enclaveIdentity')];
  return {
    pck_crl_issuer_chain: chain(pckCrl, 'Sgx-Pck-Crl-Issuer-Chain'),
    root_ca_crl: rootCrl.body.toString('hex'),
    pck_crl: pckCrl.body.toString('hex'),
    tcb_info_issuer_chain: chain(tcb, 'Tcb-Info-Issuer-Chain'),
    tcb_info: info.text,
    tcb_info_signature: info.signature,
    qe_identity_issuer_chain: chain(identity, 'Sgx-Enclave-Identity-Issuer-Chain'),
    qe_identity: identified.text,
    qe_identity_signature: identified.signature,
  };
}

/** Returns the signed text of an Intel document, byte for byte. */
function signedPart(body: Buffer, name: string): { text: string; signature: string } {
  const match = new RegExp(`^\\{"${name}":(.*),"signature":"([0-9a-f]{128})"\\}\\s*$`, 's').exec(body.toString('utf8'));
  if (match === null) throw new Error(`The recorded ${name} has another form.`);
  return { text: match[1] as string, signature: match[2] as string };
}

function samplesFolder(): string | null {
  const folder = process.env['ATTESTATION_SAMPLES'];
  if (folder) return folder;
  console.log('ATTESTATION_SAMPLES names no folder: nothing is tested against recorded attestations.');
  return null;
}
