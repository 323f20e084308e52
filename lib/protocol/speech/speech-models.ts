import type { AudioFormat } from './audio-format';
import { byCode, byName, type SpeechLanguages } from './speech-languages';

/** A model of `POST /audio/speech`, with everything that does not depend on who runs it. */
export interface SpeechModel {
  id: SpeechModelId;
  /** Display name. */
  name: string;
  /** Its own voices; a request that names none has the default. */
  voices: readonly string[];
  defaultVoice: string;
  /** What it takes as a language; anything else is ignored. */
  languages: SpeechLanguages;
  supportedFormats: readonly AudioFormat[];
  defaultFormat: AudioFormat;
  supportsPromptParam: boolean;
  supportsTemperatureParam: boolean;
  supportsTopPParam: boolean;
  /** Whether a provider's own voice id is accepted beside its voices. */
  supportsCustomVoiceId: boolean;
  /** USD for a million characters (code points), a decimal string. */
  usdPerMillionCharacters: string;
}

/** The models of the specification ("Text-to-speech request"), in its order. */
export const SPEECH_MODEL_IDS = [
  'tts-kokoro',
  'tts-vendor1-0-6b',
  'tts-vendor1-1-7b',
  'tts-vendor2-v1',
  'tts-vendor3-1-5-max',
  'tts-chatterbox-hd',
  'tts-orpheus',
  'tts-vendor4-turbo-v2-5',
  'tts-vendor5-speech-02-hd',
  'tts-vendor6-3-1-flash',
  'tts-vendor7-v1',
] as const;

export type SpeechModelId = (typeof SPEECH_MODEL_IDS)[number];

/** The model of a request that names none. */
export const DEFAULT_SPEECH_MODEL: SpeechModelId = 'tts-kokoro';

const ALL: readonly AudioFormat[] = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'];

/** The voices that the Kokoro model is published with: a letter for the language, one for the speaker, and a name. */
const KOKORO_VOICES = [
  ...['af_alloy', 'af_aoede', 'af_bella', 'af_heart', 'af_jessica', 'af_kore', 'af_nicole', 'af_nova', 'af_river', 'af_sarah', 'af_sky'],
  ...['am_adam', 'am_echo', 'am_eric', 'am_fenrir', 'am_liam', 'am_michael', 'am_onyx', 'am_puck', 'am_santa'],
  ...['bf_alice', 'bf_emma', 'bf_isabella', 'bf_lily', 'bm_daniel', 'bm_fable', 'bm_george', 'bm_lewis'],
  ...['ef_dora', 'em_alex', 'em_santa', 'ff_siwis', 'hf_alpha', 'hf_beta', 'hm_omega', 'hm_psi', 'if_sara', 'im_nicola'],
  ...['jf_alpha', 'jf_gongitsune', 'jf_nezumi', 'jf_tebukuro', 'jm_kumo', 'pf_dora', 'pm_alex', 'pm_santa'],
  ...['zf_xiaobei', 'zf_xiaoni', 'zf_xiaoxiao', 'zf_xiaoyi', 'zm_yunjian', 'zm_yunxi', 'zm_yunxia', 'zm_yunyang'],
];

const SMALL_VOICES = ['Vivian', 'Serena', 'Dylan', 'Eric', 'Ryan', 'Aiden', 'Anna', 'Sohee', 'Felix'];

const NO_PARAMETERS = { supportsPromptParam: false, supportsTemperatureParam: false, supportsTopPParam: false, supportsCustomVoiceId: false };

/** What an operator says of a model goes before what stands here. */
export const SPEECH_MODELS: Readonly<Record<SpeechModelId, SpeechModel>> = {
  'tts-kokoro': {
    ...NO_PARAMETERS,
    id: 'tts-kokoro',
    name: 'Kokoro',
    voices: KOKORO_VOICES,
    defaultVoice: 'af_sky',
    languages: byCode('en', 'es', 'fr', 'hi', 'it', 'ja', 'pt', 'zh'),
    supportedFormats: ALL,
    defaultFormat: 'mp3',
    usdPerMillionCharacters: '3.50',
  },
  'tts-vendor1-0-6b': {
    ...NO_PARAMETERS,
    id: 'tts-vendor1-0-6b',
    name: 'Vendor 1 0.6B',
    voices: SMALL_VOICES,
    defaultVoice: 'Vivian',
    languages: byName('Chinese', 'English', 'French', 'German', 'Italian', 'Japanese', 'Korean', 'Portuguese', 'Russian', 'Spanish'),
    supportedFormats: ALL,
    defaultFormat: 'mp3',
    supportsTemperatureParam: true,
    supportsTopPParam: true,
    usdPerMillionCharacters: '8',
  },
  'tts-vendor1-1-7b': {
    id: 'tts-vendor1-1-7b',
    name: 'Vendor 1 1.7B',
    voices: SMALL_VOICES,
    defaultVoice: 'Vivian',
    languages: byName('Chinese', 'English', 'French', 'German', 'Italian', 'Japanese', 'Korean', 'Portuguese', 'Russian', 'Spanish'),
    supportedFormats: ALL,
    defaultFormat: 'mp3',
    supportsPromptParam: true,
    supportsTemperatureParam: true,
    supportsTopPParam: true,
    supportsCustomVoiceId: false,
    usdPerMillionCharacters: '12',
  },
  'tts-vendor2-v1': {
    ...NO_PARAMETERS,
    id: 'tts-vendor2-v1',
    name: 'Vendor 2 v1',
    voices: ['ara', 'eve', 'leo', 'rex', 'sal'],
    defaultVoice: 'eve',
    languages: byCode('ar', 'bn', 'de', 'en', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'ko', 'pt', 'ru', 'tr', 'vi', 'zh'),
    supportedFormats: ALL,
    defaultFormat: 'mp3',
    usdPerMillionCharacters: '5',
  },
  'tts-vendor3-1-5-max': {
    id: 'tts-vendor3-1-5-max',
    name: 'Vendor 3 1.5 Max',
    voices: ['Alex', 'Ashley', 'Craig', 'Deborah', 'Dennis', 'Edward', 'Elizabeth', 'Hades', 'Julia', 'Mark', 'Olivia', 'Pixie', 'Priya', 'Ronald', 'Sarah', 'Theodore', 'Timothy', 'Wendy'],
    defaultVoice: 'Ashley',
    languages: byCode('ar', 'de', 'en', 'es', 'fr', 'he', 'hi', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'zh'),
    supportedFormats: ALL,
    defaultFormat: 'mp3',
    supportsPromptParam: false,
    supportsTemperatureParam: true,
    supportsTopPParam: false,
    supportsCustomVoiceId: false,
    usdPerMillionCharacters: '10',
  },
  'tts-chatterbox-hd': {
    id: 'tts-chatterbox-hd',
    name: 'Chatterbox HD',
    voices: ['Aurora', 'Blade', 'Britney', 'Carl', 'Cliff', 'Richard', 'Rico', 'Siobhan', 'Vicky'],
    defaultVoice: 'Aurora',
    languages: byCode('en'),
    supportedFormats: ALL,
    defaultFormat: 'wav',
    supportsPromptParam: false,
    supportsTemperatureParam: true,
    supportsTopPParam: false,
    supportsCustomVoiceId: false,
    usdPerMillionCharacters: '40',
  },
  'tts-orpheus': {
    ...NO_PARAMETERS,
    id: 'tts-orpheus',
    name: 'Orpheus',
    voices: ['tara', 'leah', 'jess', 'leo', 'dan', 'mia', 'zac', 'zoe'],
    defaultVoice: 'tara',
    languages: byCode('en'),
    supportedFormats: ['mp3', 'flac', 'wav', 'pcm'],
    defaultFormat: 'wav',
    supportsTemperatureParam: true,
    supportsTopPParam: true,
    usdPerMillionCharacters: '50',
  },
  'tts-vendor4-turbo-v2-5': {
    ...NO_PARAMETERS,
    id: 'tts-vendor4-turbo-v2-5',
    name: 'Vendor 4 Turbo 2.5',
    voices: ['Aria', 'Roger', 'Sarah', 'Laura', 'Charlie', 'George', 'Callum', 'River', 'Liam', 'Charlotte', 'Alice', 'Matilda', 'Will', 'Jessica', 'Eric', 'Chris', 'Brian', 'Daniel', 'Lily', 'Bill'],
    defaultVoice: 'Aria',
    languages: byCode('ar', 'bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'fi', 'fr', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'ko', 'ms', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sv', 'ta', 'tr', 'uk', 'vi', 'zh'),
    supportedFormats: ['mp3', 'opus', 'wav', 'pcm'],
    defaultFormat: 'mp3',
    supportsCustomVoiceId: true,
    usdPerMillionCharacters: '60',
  },
  'tts-vendor5-speech-02-hd': {
    ...NO_PARAMETERS,
    id: 'tts-vendor5-speech-02-hd',
    name: 'Vendor 5 Speech 02 HD',
    voices: ['WiseWoman', 'FriendlyPerson', 'InspirationalGirl', 'DeepVoiceMan', 'CalmWoman', 'CasualGuy', 'LivelyGirl', 'PatientMan', 'YoungKnight', 'DeterminedMan', 'LovelyGirl', 'DecentBoy', 'ElegantMan', 'Abbess', 'SweetGirl'],
    defaultVoice: 'WiseWoman',
    languages: byName('Arabic', 'Chinese', 'Dutch', 'English', 'French', 'German', 'Indonesian', 'Italian', 'Japanese', 'Korean', 'Portuguese', 'Russian', 'Spanish', 'Thai', 'Turkish', 'Ukrainian', 'Vietnamese'),
    supportedFormats: ['mp3', 'flac', 'wav', 'pcm'],
    defaultFormat: 'mp3',
    supportsCustomVoiceId: true,
    usdPerMillionCharacters: '100',
  },
  'tts-vendor6-3-1-flash': {
    ...NO_PARAMETERS,
    id: 'tts-vendor6-3-1-flash',
    name: 'Vendor 6 3.1 Flash',
    voices: ['Zephyr', 'Puck', 'Charon', 'Kore', 'Fenrir', 'Leda', 'Orus', 'Aoede', 'Callirrhoe', 'Autonoe', 'Enceladus', 'Iapetus', 'Umbriel', 'Algieba', 'Despina', 'Erinome'],
    defaultVoice: 'Kore',
    languages: byCode('ar', 'bn', 'de', 'en', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'ko', 'mr', 'nl', 'pl', 'pt', 'ro', 'ru', 'ta', 'te', 'th', 'tr', 'uk', 'vi'),
    supportedFormats: ALL,
    defaultFormat: 'wav',
    supportsPromptParam: true,
    supportsTemperatureParam: true,
    usdPerMillionCharacters: '25',
  },
  'tts-vendor7-v1': {
    ...NO_PARAMETERS,
    id: 'tts-vendor7-v1',
    name: 'Vendor 7 v1',
    voices: ['narrator', 'presenter', 'storyteller', 'assistant', 'announcer', 'companion'],
    defaultVoice: 'narrator',
    languages: byName('Chinese', 'English', 'French', 'German', 'Hindi', 'Japanese', 'Spanish'),
    supportedFormats: ALL,
    defaultFormat: 'mp3',
    supportsPromptParam: true,
    usdPerMillionCharacters: '15',
  },
};

/** Whether a text is the id of one of these models. */
export function isSpeechModelId(text: string): text is SpeechModelId {
  return Object.hasOwn(SPEECH_MODELS, text);
}
