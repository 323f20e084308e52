import { formatCount } from '@/lib/browser/text/amounts';

type RecordingStatus = 'asking' | 'arriving' | 'there' | 'stopped' | 'failed';

const STATUS: Record<RecordingStatus, string> = {
  asking: 'waiting for the first sentence',
  arriving: 'arriving',
  there: 'complete',
  stopped: 'stopped',
  failed: 'not spoken',
};

export const recordingWords = {
  name: (voice: string, model: string) => `${voice} of ${model}`,
  status: (status: RecordingStatus, bytes: number) =>
    status === 'failed' && bytes > 0 ? 'broke off; what came can be heard' : STATUS[status],
  audioOf: (voice: string) => `Audio of ${voice}`,
  play: 'Play',
  pause: 'Pause',
  position: 'Position',
  positionText: (at: string, of: string) => `${at} of ${of}`,
  playsWhenComplete: (format: string, soFar: string) =>
    `In this browser ${format} plays once all of it is here. ${soFar} so far.`,
  sentences: 'Sentences',
  characters: (count: number) => `${formatCount(count)} characters`,
  upTo: (cost: string) => `up to ${cost}`,
  firstAudio: 'first audio after ',
  spokenBy: (engine: string) => `spoken by ${engine}`,
  download: 'Download',
  broken: {
    title: (isStopped: boolean, whole: number, all: number) =>
      `${isStopped ? 'Stopped' : 'The audio broke off'} ${whole === 0 ? 'within the first sentence' : `after ${whole} of ${all} sentences`}.`,
    kept: 'You can play and download what came, and it stays in your history. You pay for what was spoken, not for the rest.',
    begins: (words: string) => `The rest begins with “${words}”.`,
    rest: (cost: string) => `Speak the rest · ${cost}`,
    all: 'Speak all of it again',
  },
  respeak: {
    help: 'Press a sentence to hear it from there, or to have that sentence alone spoken again.',
    chosen: (number: number, all: number) => `Sentence ${number} of ${all}`,
    again: (cost: string) => `Speak it again · ${cost}`,
    change: 'Change its words',
    words: 'New words of the sentence',
    speakWords: (cost: string) => `Speak these words · ${cost}`,
    cancel: 'Keep the old words',
    speaking: 'Speaking…',
    stop: 'Stop',
    undo: 'Undo',
    done: 'Done. The new part is in its place.',
    undone: 'Undone. The recording is as it was before.',
    asWav: (format: string) =>
      `${format} cannot be cut between sentences without loss, so the new take is a WAV file. The one you have stays in the history.`,
    modelGone: 'This gateway no longer has the model that spoke this, so sentences cannot be spoken again.',
    wordsMissing: 'Write what should be said instead.',
    tooLong: (most: number) => `With these words the text would have more than ${formatCount(most)} characters.`,
  },
} as const;

export const pastRecordingWords = {
  title: 'Spoken before',
  kept: (most: number) => `The last ${most}, kept in this browser only.`,
  eraseAll: 'Erase all',
  open: (text: string) => `Open “${text}”`,
  play: (text: string) => `Play “${text}”`,
  pause: (text: string) => `Pause “${text}”`,
  download: (text: string) => `Download “${text}”`,
  erase: (text: string) => `Erase “${text}”`,
  position: (text: string) => `Position in “${text}”`,
  unfinished: 'unfinished',
  erased: (count: number) => (count === 1 ? 'Erased.' : `Erased all ${count}.`),
  undo: 'Bring back',
  gone: 'This browser no longer has the audio.',
} as const;
