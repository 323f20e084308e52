import { Malformed } from '../malformed';
import { ByteCursor } from '../quote/byte-cursor';

/** Measurement request and signed answer of a GPU (DMTF DSP0274, SPDM 1.1, 10.11), parsed but not verified. */
export interface SpdmMeasurements {
  requestNonce: Uint8Array;
  /** Number of measurements. NVIDIA's verdict covers their values. */
  measurements: number;
  /** Driver version that the GPU reports. */
  driver: string | null;
  signedBytes: Uint8Array;
  /** r ‖ s on P-384. */
  signature: Uint8Array;
}

const VERSION_1_1 = 0x11;
const GET_MEASUREMENTS = 0xe0;
const MEASUREMENTS = 0x60;
const SIGNATURE_REQUESTED = 0x01;
const NONCE_BYTES = 32;
const SIGNATURE_BYTES = 96;
const DRIVER_VERSION = 3;

/** @throws {Malformed} also for bytes outside the fields */
export function readSpdmMeasurements(bytes: Uint8Array): SpdmMeasurements {
  const cursor = new ByteCursor(bytes, 'GPU evidence');
  const header = (code: number) => {
    const [version, kind, first] = cursor.take(4);
    if (version !== VERSION_1_1 || kind !== code) throw new Malformed('The GPU evidence is not of SPDM 1.1.');
    return first as number;
  };
  if ((header(GET_MEASUREMENTS) & SIGNATURE_REQUESTED) === 0)
    throw new Malformed('The GPU was not asked for a signature.');
  const requestNonce = cursor.take(NONCE_BYTES);
  cursor.take(1);
  header(MEASUREMENTS);
  const measurements = cursor.take(1)[0] as number;
  const [low = 0, middle = 0, high = 0] = cursor.take(3);
  checkBlocks(cursor.take(low + middle * 0x100 + high * 0x1_0000), measurements);
  cursor.take(NONCE_BYTES);
  const driver = driverOf(cursor.take(cursor.u16()));
  const signedBytes = bytes.subarray(0, cursor.offset);
  const signature = cursor.take(SIGNATURE_BYTES);
  cursor.end();
  return { requestNonce, measurements, driver, signedBytes, signature };
}

/** Checks that the stated number of blocks fills the record exactly. */
function checkBlocks(record: Uint8Array, count: number): void {
  const cursor = new ByteCursor(record, 'record of measurements');
  for (let block = 0; block < count; block++) {
    cursor.take(2);
    cursor.take(cursor.u16());
  }
  cursor.end();
}

/** Returns the driver version from NVIDIA's opaque data, a list of type, length and value. */
function driverOf(opaque: Uint8Array): string | null {
  const cursor = new ByteCursor(opaque, 'further data of the GPU');
  let driver: string | null = null;
  while (cursor.offset < opaque.length) {
    const type = cursor.u16();
    const value = cursor.take(cursor.u16());
    if (type === DRIVER_VERSION)
      driver = String.fromCharCode(...value.filter((byte) => byte > 0x20 && byte < 0x7f)).slice(0, 40);
  }
  return driver;
}
