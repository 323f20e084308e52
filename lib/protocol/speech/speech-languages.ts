export interface SpeechLanguages {
  /** `codes` are ISO 639-1; `names` are full English names. */
  form: 'codes' | 'names';
  accepted: readonly string[];
}

export function byCode(...accepted: readonly string[]): SpeechLanguages {
  return { form: 'codes', accepted };
}

export function byName(...accepted: readonly string[]): SpeechLanguages {
  return { form: 'names', accepted };
}

/**
 * Returns the language in the model's spelling. Null for an unsupported language: the specification tells the gateway
 * to ignore it.
 */
export function acceptedLanguage({ accepted }: SpeechLanguages, language: string): string | null {
  const wanted = language.trim().toLowerCase();
  return accepted.find((each) => each.toLowerCase() === wanted) ?? null;
}
