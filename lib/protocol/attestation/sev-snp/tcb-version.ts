import type { AmdProduct } from './amd-authorities';
import type { SnpReport } from './snp-report';

/** Security patch levels of the parts of AMD's firmware; `fmc` from Turin on. */
export interface TcbLevels {
  fmc?: number;
  bootLoader: number;
  tee: number;
  snp: number;
  microcode: number;
}

/** Where they stand in a TCB_VERSION (AMD 56860, tables "Structure of the TCB_VERSION", by product). */
const OFFSETS: Readonly<Record<'before-turin' | 'turin', Readonly<Partial<Record<keyof TcbLevels, number>>>>> = {
  'before-turin': { bootLoader: 0, tee: 1, snp: 6, microcode: 7 },
  turin: { fmc: 0, bootLoader: 1, tee: 2, snp: 3, microcode: 7 },
};

/** Reads a TCB_VERSION of 8 bytes. Bytes that its product reserves are left out. */
export function tcbLevels(version: Uint8Array, product: AmdProduct): TcbLevels {
  const offsets = OFFSETS[product === 'Turin' ? 'turin' : 'before-turin'];
  return Object.fromEntries(
    Object.entries(offsets).map(([part, offset]) => [part, version[offset]]),
  ) as unknown as TcbLevels;
}

/** Which parts are at a lower level than they must be; nothing where none is. */
export function partsBelow(levels: TcbLevels, minimum: Partial<TcbLevels>): string[] {
  return (Object.keys(minimum) as (keyof TcbLevels)[])
    .filter((part) => (levels[part] ?? 0) < (minimum[part] ?? 0))
    .map((part) => `${part} ${levels[part] ?? 0} < ${minimum[part]}`);
}

/** Levels for people. */
export function tcbText(levels: TcbLevels): string {
  return Object.entries(levels)
    .map(([part, level]) => `${part} ${level}`)
    .join(', ');
}

/** The lowest levels that are taken, of a product and, for what differs between them, of a kind of processor. */
export interface TcbMinimum {
  product: AmdProduct;
  /** Family, model and stepping as the report has them; every processor of the product where it is left out. */
  cpuid?: { family: number; model: number; stepping: number };
  levels: Partial<TcbLevels>;
}

/**
 * What AMD-SB-3019 asks for (CVE-2024-56161, microcode whose signature is not checked): below that a host can load
 * microcode of its own, and nothing that a guest says of itself counts. The level of microcode is numbered by stepping.
 * Later bulletins ask for more; the configuration can.
 */
export const TCB_MINIMA: readonly TcbMinimum[] = [
  { product: 'Milan', levels: { snp: 0x18 } },
  { product: 'Milan', cpuid: { family: 0x19, model: 0x01, stepping: 1 }, levels: { microcode: 0xdb } },
  { product: 'Genoa', levels: { snp: 0x17 } },
  { product: 'Genoa', cpuid: { family: 0x19, model: 0x11, stepping: 1 }, levels: { microcode: 0x54 } },
];

/** What a report must reach: the highest of all that apply. */
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
