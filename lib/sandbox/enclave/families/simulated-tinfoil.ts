import { createHash, generateKeyPairSync } from 'node:crypto';
import { makeQuote } from '../hardware/quote';
import { measureBoot } from '../measured-boot';
import { keptOr, type SimulatedMachine } from './simulated-reports';
import { writeTinfoilDocument } from './tinfoil-document';

const MEASUREMENT_BYTES = 48;
/** What boots names all that runs. */
const COMMAND_LINE = `SIMULATED tinfoil-config-hash=${'ab'.repeat(32)}`;

export interface TinfoilQuestion {
  nonce: Uint8Array;
  /** X25519, to which whole bodies are encrypted. */
  hpkeKey: Uint8Array;
  collateral: object;
}

/**
 * Tinfoil's document of a simulated trust domain: of the two kinds of processors that the family runs on, Intel's, for
 * which the simulator has a root. It is as that of their router is, without GPUs and with no list that names a model.
 */
export function tinfoilReport(machine: SimulatedMachine, { nonce, hpkeKey, collateral }: TinfoilQuestion): string {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const tlsKey = keptOr(machine, 'tinfoil TLS', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }));
  return writeTinfoilDocument({
    evidence: (reportData) => ({ platform: 'tdx', report: quoteOf(machine, reportData) }),
    nonce: hex(nonce),
    hpkeKey: hex(hpkeKey),
    nowMs: machine.nowMs,
    tlsKey,
    collateral,
  });
}

/** Nothing is measured after the start, so that RTMR3 is of zeros. */
function quoteOf({ platform, form = '4', attributes }: SimulatedMachine, reportData: Buffer): Buffer {
  const { mrTd, rtMrs } = measureBoot('');
  const commandLine = createHash('sha384').update(COMMAND_LINE).digest();
  const zeros = Buffer.alloc(MEASUREMENT_BYTES);
  return makeQuote(
    platform,
    {
      mrTd,
      mrConfigId: zeros,
      rtMrs: [rtMrs[0], rtMrs[1], commandLine, zeros],
      reportData,
      ...(attributes !== undefined && { attributes }),
    },
    form,
  );
}
