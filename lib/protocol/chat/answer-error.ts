type Json = Readonly<Record<string, unknown>>;

const ERROR_STATUS_MIN = 400;
const ERROR_STATUS_MAX = 599;
/** Members that may contain an error's message, most specific first. */
const SENTENCE_MEMBERS = ['message', 'msg', 'detail', 'error', 'errors', 'reason', 'description'] as const;
const STATUS_MEMBERS = ['code', 'status', 'status_code', 'statusCode'] as const;
const CALLER_CODES =
  /^(context_length_exceeded|invalid_prompt|(invalid|empty)_(base64_)?image|unsupported_image|image_|failed_to_download_image)/;
const DEPTH_MAX = 4;

/**
 * Returns the top-level error of an answer or event; null without an error. Ignores empty errors. Also ignores errors
 * inside a choice, such as a content filter's.
 */
export function errorOf(json: Json): unknown {
  const { error, object, type, detail, errors, message, choices } = json;
  if (!isEmpty(error)) return error;
  if (object === 'error' || type === 'error') return json;
  if (choices != null) return null;
  if (!isEmpty(detail) || !isEmpty(errors)) return json;
  return typeof message === 'string' && statusOfError(json) !== null ? json : null;
}

/** Extracts an error's message in the formats of OpenAI, FastAPI, Ollama and others. */
export function errorSentence(error: unknown, depth = 0): string | null {
  if (typeof error === 'string') return error.trim() === '' ? null : error.trim();
  if (typeof error !== 'object' || error === null || depth > DEPTH_MAX) return null;
  const values: readonly unknown[] = Array.isArray(error)
    ? error
    : SENTENCE_MEMBERS.map((name) => (error as Json)[name]);
  for (const value of values) {
    const sentence = errorSentence(value, depth + 1);
    if (sentence !== null) return sentence;
  }
  return null;
}

/** Returns an error's HTTP status; null if absent. */
export function statusOfError(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null;
  for (const name of STATUS_MEMBERS) {
    const status = Number((error as Json)[name]);
    if (Number.isInteger(status) && status >= ERROR_STATUS_MIN && status <= ERROR_STATUS_MAX) return status;
  }
  return CALLER_CODES.test(String((error as Json)['code'])) ? ERROR_STATUS_MIN : null;
}

function isEmpty(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return !value;
  return depth <= DEPTH_MAX && Object.values(value).every((each) => isEmpty(each, depth + 1));
}
