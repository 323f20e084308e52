/** The languages that a speech model takes, in the form that it takes them. */
export interface SpeechLanguages {
  /** `codes`: ISO 639-1. `names`: English names in full. */
  form: 'codes' | 'names';
  accepted: readonly string[];
}

/** Languages by ISO 639-1 code. */
export function byCode(...accepted: readonly string[]): SpeechLanguages {
  return { form: 'codes', accepted };
}

/** Languages by their English names. */
export function byName(...accepted: readonly string[]): SpeechLanguages {
  return { form: 'names', accepted };
}

/**
 * A language as the model writes it, in whatever case the caller does; null for one that it does not take, which the
 * specification has ignored.
 */
export function acceptedLanguage({ accepted }: SpeechLanguages, language: string): string | null {
  const wanted = language.trim().toLowerCase();
  return accepted.find((each) => each.toLowerCase() === wanted) ?? null;
}
