/** Functions of eSpeak NG that the sandbox uses, as compiled by Echogarden. */
interface Espeak {
  set_voice(name: string): number;
  set_rate(wordsPerMinute: number): void;
  set_pitch(pitch: number): void;
  set_range(range: number): void;
  set_volume(volume: number): void;
  /** Blocks until done. The callback gets mono samples at 22,050 Hz, and returns true to cancel. */
  synthesize(markup: string, onAudio: (samples: Int16Array | null) => boolean): void;
}

/** Package of the engine. Because of its GPL-3 licence, the package is optional and loaded on demand. */
export const ENGINE_PACKAGE = '@echogarden/espeak-ng-emscripten';
export const ENGINE_SAMPLE_RATE = 22_050;
export const ENGINE_RATE = 175;

/** Loads the engine, which takes about 100 ms and 100 MB. @returns null if the package is not installed */
export async function loadEspeak(): Promise<Espeak | null> {
  const name: string = ENGINE_PACKAGE;
  let create: () => Promise<{ eSpeakNGWorker: new () => Espeak }>;
  try {
    ({ default: create } = (await import(name)) as { default: typeof create });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
  const { eSpeakNGWorker: Engine } = await create();
  return new Engine();
}

export type { Espeak };
