import { z } from 'zod';
import { responseFormatSchema } from './response-format';

const MESSAGES_MAX = 10_000;
const TOOLS_MAX = 512;
/** Maximum number of completions per request. The caller pays for all of them. */
const CHOICES_MAX = 16;
const TOKENS_MAX = 10_000_000;
const STOPS_MAX = 64;
const BIASES_MAX = 2_000;
const TEXT_MAX = 4_096;

/** "No limit" in the APIs of llama.cpp and Ollama. */
export const NO_TOKEN_LIMIT = -1;

const tokenLimit = z
  .number()
  .int()
  .max(TOKENS_MAX)
  .refine((limit) => limit >= 1 || limit === NO_TOKEN_LIMIT, 'Must be at least 1')
  .describe('-1 means no limit');
const text = z.string().max(TEXT_MAX);
const flag = z.boolean();
const object = z.looseObject({});
const penalty = z.number().min(-2).max(2);
/** Accepts integers beyond 2^53 because the gateway forwards their digits unchanged. */
const integer = z.number().refine(Number.isInteger, 'Must be an integer');

const message = z.looseObject({
  role: z.string().min(1).max(64),
  content: z
    .unknown()
    .optional()
    .describe('A text or an array of parts. The roles assistant, tool and function may leave it out or send null'),
});

/** How the gateway treats a request field. Null counts as absent. */
interface ChatField<Value extends z.ZodType = z.ZodType> {
  value: Value;
  /** Treatment for plain models, whose requests the gateway may modify. */
  plain: 'sent' | 'left-out' | 'refused';
  /** Treatment for attested models, which receive the request bytes unchanged. */
  enclave: 'sent' | 'refused';
  /** How the field affects the amount of generated text, which the price must cover. */
  effect: 'none' | 'limits' | 'multiplies';
  /** Reason for the refusal, without a full stop. */
  reason?: string;
}

function sent<Value extends z.ZodType>(value: Value, effect: ChatField['effect'] = 'none'): ChatField<Value> {
  return { value, plain: 'sent', enclave: 'sent', effect };
}

/**
 * Creates a field that the gateway removes for plain models, because the field costs money or storage without changing
 * the reply.
 */
function leftOut<Value extends z.ZodType>(
  value: Value,
  enclave: ChatField['enclave'],
  effect: ChatField['effect'],
  reason: string,
): ChatField<Value> {
  return { value, plain: 'left-out', enclave, effect, reason };
}

function refused(reason: string): ChatField<z.ZodUnknown> {
  return { value: z.unknown(), plain: 'refused', enclave: 'refused', effect: 'multiplies', reason };
}

/**
 * Request fields that the gateway supports: OpenAI's (reference, "Create chat completion"), and sampling fields of
 * open-source servers. The operator can add others (`inference.chatFields`).
 */
export const CHAT_FIELDS = {
  model: sent(z.string().min(1).max(256)),
  messages: sent(z.array(message).min(1).max(MESSAGES_MAX)),
  stream: sent(flag),
  stream_options: sent(z.looseObject({ include_usage: flag.nullish() })),
  max_tokens: sent(tokenLimit, 'limits'),
  max_completion_tokens: sent(tokenLimit, 'limits'),
  n: sent(z.number().int().min(1).max(CHOICES_MAX), 'multiplies'),
  tools: sent(z.array(object).max(TOOLS_MAX)),
  tool_choice: sent(z.union([text, object])),
  parallel_tool_calls: sent(flag),
  functions: sent(z.array(object).max(TOOLS_MAX)),
  function_call: sent(z.union([text, object])),
  response_format: sent(responseFormatSchema),
  temperature: sent(z.number().min(0).max(2)),
  top_p: sent(z.number().min(0).max(1)),
  frequency_penalty: sent(penalty),
  presence_penalty: sent(penalty),
  logit_bias: sent(
    z
      .record(z.string(), z.number().min(-100).max(100))
      .refine((biases) => Object.keys(biases).length <= BIASES_MAX, `Must have at most ${BIASES_MAX} members`),
  ),
  logprobs: sent(flag),
  top_logprobs: sent(z.number().int().min(0).max(20)),
  seed: sent(integer),
  stop: sent(z.union([z.string(), z.array(z.string()).max(STOPS_MAX)])),
  user: sent(text),
  safety_identifier: sent(text),
  prompt_cache_key: sent(text),
  prompt_cache_retention: sent(text),
  reasoning_effort: sent(text),
  verbosity: sent(text),
  modalities: sent(z.array(z.literal('text', 'Must be "text": other output is not offered')).min(1).max(1)),

  top_k: sent(z.number().int().min(-1).max(1_000_000)),
  min_p: sent(z.number().min(0).max(1)),
  repetition_penalty: sent(z.number().min(0).max(10)),
  stop_token_ids: sent(z.array(z.number().int().min(0)).max(STOPS_MAX)),
  skip_special_tokens: sent(flag),
  include_reasoning: sent(flag),
  enable_thinking: sent(flag),

  store: leftOut(flag, 'sent', 'none', 'The upstream must store nothing in the account of the operator'),
  metadata: leftOut(object, 'sent', 'none', 'It describes stored completions, and none are stored'),
  service_tier: leftOut(text, 'refused', 'multiplies', 'Tiers differ in price, so the operator chooses the tier'),
  prediction: leftOut(
    object,
    'refused',
    'multiplies',
    'Tokens of a wrong prediction would be charged in addition to the answer',
  ),

  audio: refused('Chats have no audio output; POST /audio/speech turns text into speech'),
  web_search_options: refused('Web search is not offered'),
} as const satisfies Record<string, ChatField>;

/**
 * Fields outside the OpenAI API that limit or multiply generation, contain other request fields, or override routing.
 * By default, the gateway removes them for plain models and refuses them for attested models.
 */
export const LIMITING_NAMES: readonly string[] = (
  'best_of use_beam_search num_beams beam_width num_return_sequences num_completions num_generations candidate_count ' +
  'min_tokens max_new_tokens min_new_tokens max_output_tokens max_gen_toks num_predict n_predict max_length min_length token_limit ' +
  'thinking thinking_budget thinking_token_budget reasoning reasoning_budget budget_tokens ignore_eos ignore_eos_token num_ctx ' +
  'models fallbacks fallback_models route provider transforms plugins ' +
  'extra_body options parameters generation_config sampling_params vllm_xargs ' +
  'guided_json guided_regex guided_choice guided_grammar structured_outputs grammar'
).split(' ');

/** Fields that make a server generate several completions, or that may contain such fields. */
export const MULTIPLYING_NAMES: readonly string[] =
  'best_of use_beam_search num_beams beam_width num_return_sequences num_completions num_generations candidate_count models fallbacks fallback_models extra_body options parameters generation_config sampling_params vllm_xargs'.split(
    ' ',
  );

export function chatField(name: string): ChatField | undefined {
  return Object.hasOwn(CHAT_FIELDS, name) ? CHAT_FIELDS[name as keyof typeof CHAT_FIELDS] : undefined;
}

type Fields = typeof CHAT_FIELDS;
type Required = 'model' | 'messages';
type Shape = {
  [Name in keyof Fields]: Name extends Required
    ? Fields[Name]['value']
    : z.ZodOptional<z.ZodNullable<Fields[Name]['value']>>;
};

const REQUIRED: ReadonlySet<string> = new Set<Required>(['model', 'messages']);

export const chatRequestSchema = z
  .looseObject(
    Object.fromEntries(
      Object.entries(CHAT_FIELDS).map(([name, { value }]) => [name, REQUIRED.has(name) ? value : value.nullish()]),
    ) as unknown as Shape,
  )
  .meta({ id: 'ChatRequest' });

export type ChatRequest = z.output<typeof chatRequestSchema>;

/**
 * Returns a request's token limit per completion; null without a limit. If both `max_tokens` and
 * `max_completion_tokens` are present, the larger one counts, because servers differ in which one they obey.
 */
export function tokenLimitOf(request: ChatRequest): number | null {
  const newer = namedLimitOf(request, 'max_completion_tokens');
  const older = namedLimitOf(request, 'max_tokens');
  return newer === null || older === null ? (newer ?? older) : Math.max(newer, older);
}

/** Returns the limit in one field; null if absent or -1. */
export function namedLimitOf(request: ChatRequest, name: TokenLimitName): number | null {
  const limit = request[name];
  return limit == null || limit === NO_TOKEN_LIMIT ? null : limit;
}

/** Older field, supported by most servers, and OpenAI's newer field. */
export const TOKEN_LIMIT_NAMES = ['max_tokens', 'max_completion_tokens'] as const;
export type TokenLimitName = (typeof TOKEN_LIMIT_NAMES)[number];
