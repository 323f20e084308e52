/** What is used of eSpeak NG as compiled by Echogarden. */
interface Espeak {
  set_voice(name: string): number;
  set_rate(wordsPerMinute: number): void;
  set_pitch(pitch: number): void;
  set_range(range: number): void;
  set_volume(volume: number): void;
  /** Blocks. The callback gets 22,050 Hz mono, and ends the work by answering true. */
  synthesize(markup: string, onAudio: (samples: Int16Array | null) => boolean): void;
}

/** The package that has the engine. It is under the GPL-3, and so it is optional: nothing is linked to it before it is asked for. */
export const ENGINE_PACKAGE = '@echogarden/espeak-ng-emscripten';
export const ENGINE_SAMPLE_RATE = 22_050;
export const ENGINE_RATE = 175;

/** Loads the engine; it takes about 100 ms and 100 MB. @returns null where its package is not installed */
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
