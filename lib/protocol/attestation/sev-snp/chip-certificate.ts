import { Malformed } from '../../tee/malformed';
import type { Certificate } from '../../tee/x509/certificate';
import { expectTag, readDer, TAG } from '../../tee/x509/der';
import { smallIntegerOf } from '../../tee/x509/der-values';
import type { AmdProduct } from './amd-authorities';
import type { TcbLevels } from './tcb-version';

export interface CertifiedChip {
  /** Product name with or without a stepping, such as `Milan-B0` or `Genoa`. */
  product: string;
  levels: TcbLevels;
  /** 64 bytes before Turin, 8 bytes since Turin. */
  hardwareId: Uint8Array;
}

/** AMD's certificate extensions (AMD 57230, table of the VCEK's extensions). */
const AMD = '1.3.6.1.4.1.3704.1';
const PRODUCT_NAME = `${AMD}.2`;
const LEVELS: Readonly<Record<'before-turin' | 'turin', Readonly<Partial<Record<keyof TcbLevels, string>>>>> = {
  'before-turin': { bootLoader: `${AMD}.3.1`, tee: `${AMD}.3.2`, snp: `${AMD}.3.3`, microcode: `${AMD}.3.8` },
  turin: { fmc: `${AMD}.3.9`, bootLoader: `${AMD}.3.1`, tee: `${AMD}.3.2`, snp: `${AMD}.3.3`, microcode: `${AMD}.3.8` },
};
const HARDWARE_ID = `${AMD}.4`;
const LEVEL_MAX = 255;
const IA5_STRING = 0x16;

/**
 * Parses a VCEK's AMD extensions.
 *
 * @throws {Malformed} if an extension is missing or malformed
 */
export function readCertifiedChip({ extensions }: Certificate, product: AmdProduct): CertifiedChip {
  const valueOf = (oid: string): Uint8Array => {
    const extension = extensions.get(oid);
    if (!extension) throw new Malformed(`The certificate of the chip lacks the extension ${oid}.`);
    return extension.value;
  };
  const level = (oid: string): number => {
    const value = smallIntegerOf(readDer(valueOf(oid), TAG.INTEGER));
    if (value > LEVEL_MAX) throw new Malformed(`The extension ${oid} is not a version level.`);
    return value;
  };
  const name = expectTag(readDer(valueOf(PRODUCT_NAME), IA5_STRING), IA5_STRING).content;
  const levels = Object.entries(LEVELS[product === 'Turin' ? 'turin' : 'before-turin']).map(([part, oid]) => [
    part,
    level(oid),
  ]);
  return {
    product: String.fromCharCode(...name.subarray(0, 40)),
    levels: Object.fromEntries(levels) as TcbLevels,
    hardwareId: hardwareIdOf(valueOf(HARDWARE_ID)),
  };
}

/** Returns the raw id. Some of AMD's certificates wrap the id in an OCTET STRING. */
function hardwareIdOf(value: Uint8Array): Uint8Array {
  if (value.length === 64 || value.length === 8) return value;
  return readDer(value, TAG.OCTET_STRING).content;
}
