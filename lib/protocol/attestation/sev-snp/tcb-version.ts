import type { AmdProduct } from './amd-authorities';
import type { SnpReport } from './snp-report';

/** Security patch levels of AMD firmware components. `fmc` exists since Turin. */
export interface TcbLevels {
  fmc?: number;
  bootLoader: number;
  tee: number;
  snp: number;
  microcode: number;
}

/** Byte offsets in a TCB_VERSION (AMD 56860, tables "Structure of the TCB_VERSION", by product). */
const OFFSETS: Readonly<Record<'before-turin' | 'turin', Readonly<Partial<Record<keyof TcbLevels, number>>>>> = {
  'before-turin': { bootLoader: 0, tee: 1, snp: 6, microcode: 7 },
  turin: { fmc: 0, bootLoader: 1, tee: 2, snp: 3, microcode: 7 },
};

/** Parses a TCB_VERSION of 8 bytes and ignores reserved bytes. */
export function tcbLevels(version: Uint8Array, product: AmdProduct): TcbLevels {
  const offsets = OFFSETS[product === 'Turin' ? 'turin' : 'before-turin'];
  return Object.fromEntries(
    Object.entries(offsets).map(([part, offset]) => [part, version[offset]]),
  ) as unknown as TcbLevels;
}

/** Describes each component below its minimum, such as `snp 20 < 24`. */
export function partsBelow(levels: TcbLevels, minimum: Partial<TcbLevels>): string[] {
  return (Object.keys(minimum) as (keyof TcbLevels)[])
    .filter((part) => (levels[part] ?? 0) < (minimum[part] ?? 0))
    .map((part) => `${part} ${levels[part] ?? 0} < ${minimum[part]}`);
}

export function tcbText(levels: TcbLevels): string {
  return Object.entries(levels)
    .map(([part, level]) => `${part} ${level}`)
    .join(', ');
}

/** Lowest accepted levels of a product, or of one of its CPU steppings. */
export interface TcbMinimum {
  product: AmdProduct;
  /** Default: all processors of the product. */
  cpuid?: { family: number; model: number; stepping: number };
  levels: Partial<TcbLevels>;
}

/**
 * Minimum TCB of AMD-SB-3019 (CVE-2024-56161, unchecked microcode signatures). Below this TCB, a host can load its own
 * microcode and forge a guest's claims. A policy can set the higher levels of later bulletins.
 */
export const TCB_MINIMA: readonly TcbMinimum[] = [
  { product: 'Milan', levels: { snp: 0x18 } },
  { product: 'Milan', cpuid: { family: 0x19, model: 0x01, stepping: 1 }, levels: { microcode: 0xdb } },
  { product: 'Genoa', levels: { snp: 0x17 } },
  { product: 'Genoa', cpuid: { family: 0x19, model: 0x11, stepping: 1 }, levels: { microcode: 0x54 } },
];

/** Combines the minima that apply to a report: the highest one for each component. */
export function minimumFor(
  { cpuid }: SnpReport,
  product: AmdProduct,
  minima: readonly TcbMinimum[],
): Partial<TcbLevels> {
  const isSame = (other: NonNullable<TcbMinimum['cpuid']>) =>
    cpuid !== null && other.family === cpuid.family && other.model === cpuid.model && other.stepping === cpuid.stepping;
  const wanted: Partial<TcbLevels> = {};
  for (const { levels } of minima.filter(
    (each) => each.product === product && (each.cpuid === undefined || isSame(each.cpuid)),
  )) {
    for (const part of Object.keys(levels) as (keyof TcbLevels)[])
      wanted[part] = Math.max(wanted[part] ?? 0, levels[part] ?? 0);
  }
  return wanted;
}
