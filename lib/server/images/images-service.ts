import { apiError } from '@/lib/protocol/errors';
import { type ImageFormat, imageFormatOf } from '@/lib/protocol/images/image-requests';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import { askForWhole, requireFreeSlots } from '../upstreams/models/failover';
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { PaidCall, Purchase } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import type { Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import { readJson } from '../http/json-body';
import { fieldError } from '../http/validation-error';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';
import { refusesResponseFormat } from '../upstreams/models/server-oddities';
import { type ImageOrder, questionOf } from './image-order';
import type { ImageModel, Images } from './images';

const IMAGE_KEYS = 'images:';
/** Maximum request size: enough for two long escaped prompts and for ignored fields. */
const REQUEST_BYTES_MAX = 256 * 1_024;

interface MadeImages {
  images: readonly Buffer[];
  order: ImageOrder;
  requestId: string;
  /** Duration of the request to the upstream, in milliseconds. */
  tookMs: number;
}

interface ImageDoor<Schema extends z.ZodType<{ model?: string | null | undefined }>> {
  /** Endpoint name, hashed with the request because each endpoint's answers have a different format. */
  name: string;
  schema: Schema;
  /** @throws ApiError 400 for an option that the model does not support */
  order(request: z.output<Schema>, model: ImageModel): ImageOrder;
  /** Returns the JSON answer. Not called if the answer is the picture's bytes. */
  write(made: MadeImages): object;
}

interface CheckedImages {
  request: unknown;
  order: ImageOrder;
  models: readonly [ImageModel, ...ImageModel[]];
  maxNanoUsd: number;
}

/** Serves images. The charge for each picture depends on its size. */
export function imagesService<Schema extends z.ZodType<{ model?: string | null | undefined }>>(
  images: Images,
  door: ImageDoor<Schema>,
): PaidService<CheckedImages> {
  return {
    caps: 'endpoint',
    repetition: {
      keyPrefix: IMAGE_KEYS,
      fingerprint: ({ request }) =>
        createHash('sha256')
          .update(JSON.stringify([door.name, request]))
          .digest('hex'),
      replay: async (body, paid, { order }) => ({
        status: 200,
        headers: {
          'content-type': contentTypeOf({ ...order, format: imageFormatOf(body) ?? order.format }),
          'idempotent-replayed': 'true',
          ...paid.balanceHeader(await paid.spendable()),
        },
        body,
      }),
    },
    validate: (paid) => validate(paid, images, door),
    bought: ({ models: [model] }) => ({ endpoint: 'images', name: model.id }),
    price: ({ maxNanoUsd }) => ({ maxNanoUsd, maxCredits: 0 }),
    requireServable: ({ models }, caller) => requireFreeSlots(models, caller),
    fulfil: (paid, checked) => make(paid, checked, images, door),
  };
}

async function validate<Schema extends z.ZodType<{ model?: string | null | undefined }>>(
  paid: PaidCall,
  { config, models: offered }: Images,
  door: ImageDoor<Schema>,
): Promise<CheckedImages> {
  refuseMisplacedEncryption(paid.call);
  const request = await readJson(paid, door.schema, REQUEST_BYTES_MAX);
  const id = request.model ?? offered.firstId;
  const [model, ...others] = offered.find(id);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', {
      message: `There is no image model ${JSON.stringify(id.slice(0, 100))}.`,
      hint: 'GET /api/v1/models?type=image lists the image models.',
    });
  paid.call.record.ofModel(model);
  const order = door.order(request, model);
  if (order.count > config.imagesMax)
    throw fieldError('n' in request ? 'n' : 'variants', `One request can make at most ${config.imagesMax} pictures`);
  return {
    request,
    order,
    models: [model, ...others],
    maxNanoUsd: order.count * (model.nanoUsdPerImage.get(order.size) as number),
  };
}

async function make<Schema extends z.ZodType<{ model?: string | null | undefined }>>(
  paid: PaidCall,
  checked: CheckedImages,
  { config, log }: Images,
  door: ImageDoor<Schema>,
): Promise<Reply> {
  const { order, models } = checked;
  const { call } = paid;
  const stopKeeping = paid.keepAlive(() => ({ ...purchase(checked), amountNanoUsd: 0, units: 0 }));
  const startedAt = performance.now();
  const refusing = new Set<ImageModel>();
  const takesFormat = (model: ImageModel): boolean =>
    !refusing.has(model) && !model.upstream.oddities.of(model.id).has('response_format');
  try {
    const images = await askForWhole(
      models,
      { config, log, call, caller: paid.caller.accountId },
      (model) => ({
        method: 'POST',
        path: '/images/generations',
        body: JSON.stringify(questionOf(order, model, takesFormat(model))),
      }),
      (answer, model) => {
        const read = readImages(answer, order.count, order.format);
        if (refusing.has(model)) model.upstream.oddities.learn(model.id, new Set(['response_format']));
        return read;
      },
      (refusal, model) => {
        if (!takesFormat(model) || !refusesResponseFormat(refusal)) return false;
        refusing.add(model);
        return true;
      },
    );
    const tookMs = Math.round(performance.now() - startedAt);
    const body = order.isBinary
      ? (images[0] as Buffer)
      : Buffer.from(JSON.stringify(door.write({ images, order, requestId: call.requestId, tookMs })));
    const settled = await paid.settle({ ...purchase(checked), replayBody: paid.replayOf(body) });
    return { status: 200, headers: { 'content-type': contentTypeOf(order), ...paid.settledHeaders(settled) }, body };
  } finally {
    stopKeeping();
  }
}

function contentTypeOf({ isBinary, format }: ImageOrder): string {
  return isBinary ? `image/${format}` : 'application/json';
}

function purchase({ order: { count, size }, models: [model], maxNanoUsd }: CheckedImages): Purchase {
  return {
    amountNanoUsd: maxNanoUsd,
    credits: 0,
    units: count,
    resource: `images/${model.id}`,
    detail: `${count} of ${size}`,
    replayBody: null,
  };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Parses the pictures of an answer in OpenAI's format. Recognizes their format by the first bytes, without decoding.
 * @param count required number of pictures
 * @throws ApiError MODEL_ANSWER_INVALID if the number or format is wrong, or if there are URLs instead of pictures
 */
function readImages({ body }: Pick<UpstreamAnswer, 'body'>, count: number, format: ImageFormat): Buffer[] {
  const data: unknown = parsedRecord(body.toString('utf8'))?.['data'];
  if (!Array.isArray(data) || data.length !== count)
    throw invalid(`The model's answer does not have the requested number of pictures, ${count}.`);
  return (data as unknown[]).map((each) => {
    const { b64_json: text } = recordOf(each);
    if (typeof text !== 'string' || !BASE64.test(text))
      throw invalid("The model's answer contains something other than a Base64 picture.");
    const bytes = Buffer.from(text, 'base64');
    if (imageFormatOf(bytes) !== format)
      throw invalid(`The model's answer contains a picture that is not in the format ${format}.`);
    return bytes;
  });
}

function invalid(message: string) {
  return apiError('MODEL_ANSWER_INVALID', { message });
}
