import type { TdReport } from '../quote/td-report';

const DEBUG_GROUP = 0;
const SEPT_VE_DISABLE = 0x10;
/** Bits 8 to 27 and 29 of the security group, and bits 32 to 62: reserved, must be zero (Intel TDX Module, ATTRIBUTES). */
const RESERVED = [0x00, 0xff, 0xff, 0x2f, 0xff, 0xff, 0xff, 0x7f] as const;

/** Whether a trust domain may be debugged, which lets its host read it. Any bit of the first byte means that it is under debug. */
export function isDebuggable({ tdAttributes }: TdReport): boolean {
  return tdAttributes[DEBUG_GROUP] !== 0;
}

/** What speaks against the attributes of a trust domain apart from debug; null where nothing does. */
export function tdAttributesFault({ tdAttributes, mrServiceTd }: TdReport): string | null {
  if (RESERVED.some((mask, index) => ((tdAttributes[index] ?? 0) & mask) !== 0))
    return 'Reserved attributes of the trust domain are set.';
  if (((tdAttributes[3] ?? 0) & SEPT_VE_DISABLE) === 0)
    return 'The host may inject faults into the memory of the trust domain (SEPT_VE_DISABLE is off).';
  if (mrServiceTd?.some((byte) => byte !== 0))
    return 'A service domain is bound to the trust domain, which may move it to other hardware.';
  return null;
}
