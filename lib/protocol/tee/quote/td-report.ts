import { ByteCursor } from './byte-cursor';

/** Body of a TDX quote: the TDX module's report on a trust domain. Byte strings are views. */
export interface TdReport {
  teeTcbSvn: Uint8Array;
  mrSeam: Uint8Array;
  mrSignerSeam: Uint8Array;
  seamAttributes: Uint8Array;
  tdAttributes: Uint8Array;
  xfam: Uint8Array;
  /** Measurement of the initial memory, which contains the firmware. */
  mrTd: Uint8Array;
  mrConfigId: Uint8Array;
  mrOwner: Uint8Array;
  mrOwnerConfig: Uint8Array;
  /** Four 48-byte registers that firmware, kernel and applications extend. */
  rtMrs: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  /** 64 bytes that the trust domain chose. */
  reportData: Uint8Array;
  /** Null in TDX 1.0 reports. */
  teeTcbSvn2: Uint8Array | null;
  mrServiceTd: Uint8Array | null;
}

export const TD_REPORT_10_BYTES = 584;
export const TD_REPORT_15_BYTES = 648;
const MEASUREMENT_BYTES = 48;

/**
 * Parses a report of 584 bytes (TDX 1.0) or 648 bytes (TDX 1.5).
 *
 * @throws {Malformed}
 */
export function readTdReport(bytes: Uint8Array): TdReport {
  const cursor = new ByteCursor(bytes, 'TD report');
  const measurement = () => cursor.take(MEASUREMENT_BYTES);
  const report = {
    teeTcbSvn: cursor.take(16),
    mrSeam: measurement(),
    mrSignerSeam: measurement(),
    seamAttributes: cursor.take(8),
    tdAttributes: cursor.take(8),
    xfam: cursor.take(8),
    mrTd: measurement(),
    mrConfigId: measurement(),
    mrOwner: measurement(),
    mrOwnerConfig: measurement(),
    rtMrs: [measurement(), measurement(), measurement(), measurement()] as const,
    reportData: cursor.take(64),
  };
  const is15 = bytes.length === TD_REPORT_15_BYTES;
  const extension = { teeTcbSvn2: is15 ? cursor.take(16) : null, mrServiceTd: is15 ? measurement() : null };
  cursor.end();
  return { ...report, ...extension };
}
