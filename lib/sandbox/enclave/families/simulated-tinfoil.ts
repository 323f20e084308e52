import { createHash, generateKeyPairSync } from 'node:crypto';
import { makeQuote } from '../hardware/quote';
import { measureBoot } from '../measured-boot';
import { keptOr, type SimulatedMachine } from './simulated-reports';
import { writeTinfoilDocument } from './tinfoil-document';

const MEASUREMENT_BYTES = 48;
/** Kernel command line. The `tinfoil-config-hash` identifies the configuration that the machine runs. */
const COMMAND_LINE = `SIMULATED tinfoil-config-hash=${'ab'.repeat(32)}`;

interface TinfoilRequest {
  nonce: Uint8Array;
  hpkeKey: Uint8Array;
  collateral: object;
}

/** Makes Tinfoil's document for a simulated Intel trust domain without GPUs, such as a router. */
export function tinfoilReport(machine: SimulatedMachine, { nonce, hpkeKey, collateral }: TinfoilRequest): string {
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

/** Makes a quote without run-time measurements, so RTMR3 is zero. */
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
