import type { TdReport } from '../quote/quote';

const DEBUG_GROUP = 0;
const SEPT_VE_DISABLE = 0x10;
/** Mask of the reserved bits, which must be zero: 8 to 27, 29, and 32 to 62 (Intel TDX Module, ATTRIBUTES). */
const RESERVED = [0x00, 0xff, 0xff, 0x2f, 0xff, 0xff, 0xff, 0x7f] as const;

/** Returns whether the host may debug the trust domain and so read its memory. Any set bit of the first byte counts. */
export function isDebuggable({ tdAttributes }: TdReport): boolean {
  return tdAttributes[DEBUG_GROUP] !== 0;
}

/** Returns why attributes other than debug are unsafe, as a sentence; null if safe. */
export function tdAttributesFault({ tdAttributes, mrServiceTd }: TdReport): string | null {
  if (RESERVED.some((mask, index) => ((tdAttributes[index] ?? 0) & mask) !== 0))
    return 'Reserved attributes of the trust domain are set.';
  if (((tdAttributes[3] ?? 0) & SEPT_VE_DISABLE) === 0)
    return 'The host may inject faults into the memory of the trust domain (SEPT_VE_DISABLE is off).';
  if (mrServiceTd?.some((byte) => byte !== 0))
    return 'A service domain is bound to the trust domain, which may move it to other hardware.';
  return null;
}
