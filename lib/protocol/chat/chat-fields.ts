import { z } from 'zod';
import { responseFormatSchema } from './response-format';

const MESSAGES_MAX = 10_000;
const TOOLS_MAX = 512;
/** Completions of one request: each is generated, and paid for, in full. */
const CHOICES_MAX = 16;
const TOKENS_MAX = 10_000_000;
const STOPS_MAX = 64;
const BIASES_MAX = 2_000;
const TEXT_MAX = 4_096;

/** As llama.cpp and Ollama read it: no limit. */
export const NO_TOKEN_LIMIT = -1;

const tokenLimit = z
  .number()
  .int()
  .max(TOKENS_MAX)
  .refine((limit) => limit >= 1 || limit === NO_TOKEN_LIMIT, 'Must be at least 1')
  .describe('-1 is as good as none');
const text = z.string().max(TEXT_MAX);
const flag = z.boolean();
const object = z.looseObject({});
const penalty = z.number().min(-2).max(2);
/** Also beyond 2^53: its digits are passed on as they came. */
const integer = z.number().refine(Number.isInteger, 'Must be an integer');

const message = z.looseObject({
  role: z.string().min(1).max(64),
  content: z
    .unknown()
    .optional()
    .describe(
      'A text, or an array of parts; null or absent where the role may say nothing (assistant, tool, function)',
    ),
});

/** What becomes of a field that a request has. Null is as good as absent. */
export interface ChatField<Value extends z.ZodType = z.ZodType> {
  /** Type and bounds, whatever the model. */
  value: Value;
  /** Of a model whose requests may be altered. */
  plain: 'sent' | 'left-out' | 'refused';
  /** Of an attested model, which gets the bytes as they came. */
  enclave: 'sent' | 'refused';
  /** What it does to how much is generated, which the price has to know of. */
  effect: 'none' | 'limits' | 'multiplies';
  /** Why it is refused, without a full stop. */
  reason?: string;
}

function sent<Value extends z.ZodType>(value: Value, effect: ChatField['effect'] = 'none'): ChatField<Value> {
  return { value, plain: 'sent', enclave: 'sent', effect };
}

/** One that plain models are not told, since it would make the operator pay or keep something, and the reply does not depend on it. */
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
 * The fields of a chat request that the gateway knows: those of OpenAI's API (reference, "Create chat completion"), and
 * what open servers add to them for sampling. The operator can name further ones (`inference.chatFields`).
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

  store: leftOut(flag, 'sent', 'none', 'Nothing is to be kept in the account of the operator'),
  metadata: leftOut(object, 'sent', 'none', 'It belongs to what is stored'),
  service_tier: leftOut(text, 'refused', 'multiplies', 'The operator chooses the tier, whose price differs'),
  prediction: leftOut(
    object,
    'refused',
    'multiplies',
    'Tokens of a prediction that does not come true would be generated beside the answer',
  ),

  audio: refused('Audio output is not offered here; POST /audio/speech speaks a text'),
  web_search_options: refused('Web search is not offered'),
} as const satisfies Record<string, ChatField>;

/**
 * Names that are no fields of the API, and by which servers limit or multiply what is generated, hold a request of its
 * own, or are told what only the gateway may decide. Plain models are never told; to attested models they are refused.
 */
export const LIMITING_NAMES: readonly string[] = (
  'best_of use_beam_search num_beams beam_width num_return_sequences num_completions num_generations candidate_count ' +
  'min_tokens max_new_tokens min_new_tokens max_output_tokens max_gen_toks num_predict n_predict max_length min_length token_limit ' +
  'thinking thinking_budget thinking_token_budget reasoning reasoning_budget budget_tokens ignore_eos ignore_eos_token num_ctx ' +
  'models fallbacks fallback_models route provider transforms plugins ' +
  'extra_body options parameters generation_config sampling_params vllm_xargs ' +
  'guided_json guided_regex guided_choice guided_grammar structured_outputs grammar'
).split(' ');

/** Of those above: naming one of these would have requests generated, and paid for, several times over. */
export const MULTIPLYING_NAMES: readonly string[] =
  'best_of use_beam_search num_beams beam_width num_return_sequences num_completions num_generations candidate_count models fallbacks fallback_models extra_body options parameters generation_config sampling_params vllm_xargs'.split(
    ' ',
  );

/** The field of this name; undefined for one that is not known. */
export function chatField(name: string): ChatField | undefined {
  return Object.hasOwn(CHAT_FIELDS, name) ? CHAT_FIELDS[name as keyof typeof CHAT_FIELDS] : undefined;
}
