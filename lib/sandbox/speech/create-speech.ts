import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { SandboxLog } from '../log';
import { EnginePool, type EnginePoolOptions } from './engine-pool';
import { EngineAbsentError } from './engine-thread';
import { SpeechServer } from './speech-server';

const THREADS_MAX = 2;
const QUEUE_MAX = 64;
const SILENCE_TIMEOUT_MS = 60_000;
/** Delay of the warm-up, so that the sandbox starts fast. */
const WARM_UP_AFTER_MS = 2_000;

/**
 * Creates simulated speech. `warmUpSoon` or the first text loads the engine.
 *
 * @param projectRoot folder that contains `dist`
 */
export function createSpeech(projectRoot: string, options: Partial<EnginePoolOptions> = {}): SpeechServer {
  const engines = new EnginePool({
    threadFile: path.join(projectRoot, 'dist', 'speech-engine.mjs'),
    threads: Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1)),
    queueMax: QUEUE_MAX,
    silenceTimeoutMs: SILENCE_TIMEOUT_MS,
    ...options,
  });
  return new SpeechServer(engines);
}

export function warmUpSoon(speech: SpeechServer, log: SandboxLog): void {
  const explain = (error: Error) =>
    error instanceof EngineAbsentError ? 'its engine is an optional package that is not installed' : error.message;
  setTimeout(
    () => void speech.warmUp().catch((error: Error) => log.warn(`The sandbox has no speech: ${explain(error)}`)),
    WARM_UP_AFTER_MS,
  ).unref();
}
