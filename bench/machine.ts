import { createHash } from 'node:crypto';
import { cpus } from 'node:os';

/** Machine on which a measurement ran. */
export interface Machine {
  cpus: number;
  model: string;
  node: string;
  /** Microseconds for a fixed piece of work, to compare results of two machines. */
  speedMicros: number;
}

const PIECES = 200;
const PIECE = JSON.stringify(
  Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, result: `0x${id.toString(16).padStart(64, '0')}` })),
);

/** Describes this machine. Its speed is the median time to parse, write and hash the answer to a batch of 100 reads. */
export function thisMachine(): Machine {
  return {
    cpus: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    speedMicros: speedMicros(),
  };
}

function speedMicros(): number {
  const times = Array.from({ length: PIECES }, () => {
    const startedAt = performance.now();
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(PIECE)))
      .digest();
    return (performance.now() - startedAt) * 1_000;
  });
  return times.sort((one, other) => one - other)[PIECES / 2] as number;
}
