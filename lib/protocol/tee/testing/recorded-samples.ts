import fs from 'node:fs';
import path from 'node:path';

/** A genuine TDX quote with the collateral of its time, and a time at which both are valid. */
export interface RecordedSample {
  quote: Uint8Array;
  collateral: Record<string, string>;
  nowMs: number;
}

/** The recorded quote in the folder that ATTESTATION_SAMPLES names, or null with one notice where it names none. */
export function recordedSample(): RecordedSample | null {
  const folder = process.env['ATTESTATION_SAMPLES'];
  if (!folder) {
    console.log('ATTESTATION_SAMPLES names no folder: nothing is tested against recorded attestations.');
    return null;
  }
  const file = (name: string) => fs.readFileSync(path.join(folder, 'tdx', name));
  return {
    quote: new Uint8Array(file('tdx_quote_v4.bin')),
    collateral: JSON.parse(file('tdx_quote_v4_collateral.json').toString('utf8')) as Record<string, string>,
    nowMs: Date.UTC(2025, 5, 25),
  };
}
