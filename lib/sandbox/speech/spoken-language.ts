interface SpokenLanguage {
  /** ISO 639-1. */
  code: string;
  /** English names in lower case. */
  names: readonly string[];
  engineVoice: string;
  script?: RegExp;
}

export const ENGLISH_VOICE = 'gmw/en-US';

/**
 * Languages and their scripts. The first language whose script matches wins. Japanese precedes Chinese, because only
 * Japanese has kana.
 */
const LANGUAGES: readonly SpokenLanguage[] = [
  { code: 'en', names: ['english'], engineVoice: ENGLISH_VOICE },
  { code: 'ru', names: ['russian'], engineVoice: 'zle/ru', script: /\p{Script=Cyrillic}/gu },
  { code: 'el', names: ['greek'], engineVoice: 'grk/el', script: /\p{Script=Greek}/gu },
  { code: 'ar', names: ['arabic'], engineVoice: 'sem/ar', script: /\p{Script=Arabic}/gu },
  { code: 'he', names: ['hebrew'], engineVoice: 'sem/he', script: /\p{Script=Hebrew}/gu },
  { code: 'hi', names: ['hindi'], engineVoice: 'inc/hi', script: /\p{Script=Devanagari}/gu },
  { code: 'bn', names: ['bengali', 'bangla'], engineVoice: 'inc/bn', script: /\p{Script=Bengali}/gu },
  { code: 'ta', names: ['tamil'], engineVoice: 'dra/ta', script: /\p{Script=Tamil}/gu },
  { code: 'te', names: ['telugu'], engineVoice: 'dra/te', script: /\p{Script=Telugu}/gu },
  { code: 'th', names: ['thai'], engineVoice: 'tai/th', script: /\p{Script=Thai}/gu },
  { code: 'ka', names: ['georgian'], engineVoice: 'ccs/ka', script: /\p{Script=Georgian}/gu },
  { code: 'hy', names: ['armenian'], engineVoice: 'ine/hy', script: /\p{Script=Armenian}/gu },
  { code: 'ko', names: ['korean'], engineVoice: 'ko', script: /\p{Script=Hangul}/gu },
  { code: 'ja', names: ['japanese'], engineVoice: 'jpx/ja', script: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu },
  { code: 'zh', names: ['chinese', 'mandarin'], engineVoice: 'sit/cmn', script: /\p{Script=Han}/gu },
  { code: 'uk', names: ['ukrainian'], engineVoice: 'zle/uk' },
  { code: 'bg', names: ['bulgarian'], engineVoice: 'zls/bg' },
  { code: 'mr', names: ['marathi'], engineVoice: 'inc/mr' },
  { code: 'fa', names: ['persian', 'farsi'], engineVoice: 'ira/fa' },
  { code: 'ur', names: ['urdu'], engineVoice: 'inc/ur' },
  { code: 'es', names: ['spanish'], engineVoice: 'roa/es' },
  { code: 'fr', names: ['french'], engineVoice: 'roa/fr' },
  { code: 'de', names: ['german'], engineVoice: 'gmw/de' },
  { code: 'it', names: ['italian'], engineVoice: 'roa/it' },
  { code: 'pt', names: ['portuguese'], engineVoice: 'roa/pt-BR' },
  { code: 'nl', names: ['dutch'], engineVoice: 'gmw/nl' },
  { code: 'pl', names: ['polish'], engineVoice: 'zlw/pl' },
  { code: 'cs', names: ['czech'], engineVoice: 'zlw/cs' },
  { code: 'sk', names: ['slovak'], engineVoice: 'zlw/sk' },
  { code: 'hr', names: ['croatian'], engineVoice: 'zls/hr' },
  { code: 'ro', names: ['romanian'], engineVoice: 'roa/ro' },
  { code: 'hu', names: ['hungarian'], engineVoice: 'urj/hu' },
  { code: 'fi', names: ['finnish'], engineVoice: 'urj/fi' },
  { code: 'sv', names: ['swedish'], engineVoice: 'gmq/sv' },
  { code: 'da', names: ['danish'], engineVoice: 'gmq/da' },
  { code: 'no', names: ['norwegian'], engineVoice: 'gmq/nb' },
  { code: 'tr', names: ['turkish'], engineVoice: 'trk/tr' },
  { code: 'id', names: ['indonesian'], engineVoice: 'poz/id' },
  { code: 'ms', names: ['malay'], engineVoice: 'poz/ms' },
  { code: 'vi', names: ['vietnamese'], engineVoice: 'aav/vi' },
  { code: 'ca', names: ['catalan'], engineVoice: 'roa/ca' },
];

/**
 * Returns the engine's voice for a hint: a language's English name, or an ISO 639-1 code with or without a region. Null
 * for any other hint.
 */
export function hintedVoice(hint: string): string | null {
  const wanted = hint.trim().toLowerCase();
  const code = wanted.split(/[-_]/, 1)[0];
  return LANGUAGES.find((language) => language.code === code || language.names.includes(wanted))?.engineVoice ?? null;
}

/**
 * Returns the engine's voice for a text whose script identifies the language. Null for Latin script and for texts
 * without letters.
 */
export function voiceOfScript(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu) * 10 > letters) return 'jpx/ja';
  return (
    LANGUAGES.find(({ script }) => script !== undefined && countOf(text, script) * 2 > letters)?.engineVoice ?? null
  );
}

/** Returns whether a voice's language uses Latin letters. Other voices spell Latin text letter by letter. */
export function readsLatin(engineVoice: string): boolean {
  const language = LANGUAGES.find((each) => each.engineVoice === engineVoice);
  return (
    language === undefined || (language.script === undefined && !['uk', 'bg', 'mr', 'fa', 'ur'].includes(language.code))
  );
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
