import type { z } from 'zod';
import type { ImageFormat, imageGenerateSchema, imageGenerationsSchema } from '@/lib/protocol/images/image-requests';
import { fieldError } from '../http/validation-error';
import type { ImageModel } from './images';

export interface ImageOrder {
  prompt: string;
  negativePrompt: string | null;
  seed: number | null;
  count: number;
  size: string;
  format: ImageFormat;
  isBinary: boolean;
}

/**
 * Parses a request in OpenAI's format.
 *
 * @throws ApiError 400 that names the field of an unsupported option
 */
export function orderOfGenerations(request: z.output<typeof imageGenerationsSchema>, model: ImageModel): ImageOrder {
  if (request.response_format === 'url')
    throw fieldError('response_format', 'Must be b64_json: the gateway stores no pictures, so they have no URL');
  return {
    prompt: request.prompt,
    negativePrompt: request.negative_prompt ?? null,
    seed: request.seed ?? null,
    count: request.n ?? 1,
    size: offeredSize(request.size === 'auto' ? null : (request.size ?? null), 'size', model),
    format: offeredFormat(request.output_format ?? null, 'output_format', model),
    isBinary: false,
  };
}

/**
 * Parses a request of `POST /image/generate`.
 *
 * @throws ApiError 400 that names the field of an unsupported option
 */
export function orderOfGenerate(request: z.output<typeof imageGenerateSchema>, model: ImageModel): ImageOrder {
  const isBinary = request.return_binary === true;
  const count = request.variants ?? 1;
  if (isBinary && count > 1)
    throw fieldError('variants', 'Must be 1 with return_binary, because a binary answer contains only one picture');
  const [defaultWidth, defaultHeight] = offeredSize(null, 'width', model).split('x');
  const size =
    request.width == null && request.height == null
      ? null
      : `${request.width ?? defaultWidth}x${request.height ?? defaultHeight}`;
  return {
    prompt: request.prompt,
    negativePrompt: request.negative_prompt ?? null,
    seed: request.seed ?? null,
    count,
    size: offeredSize(size, 'width', model),
    format: offeredFormat(request.format ?? null, 'format', model),
    isBinary,
  };
}

/** @param takesFormat false for GPT image models, which refuse `response_format` */
export function questionOf(order: ImageOrder, { upstreamModel, formats, fields }: ImageModel, takesFormat: boolean) {
  const { prompt, negativePrompt, seed, count, size, format } = order;
  return {
    model: upstreamModel,
    prompt,
    n: count,
    size,
    ...(takesFormat ? { response_format: 'b64_json' } : {}),
    ...(formats.length > 1 ? { output_format: format } : {}),
    ...(seed !== null && fields.includes('seed') ? { seed } : {}),
    ...(negativePrompt !== null && fields.includes('negative_prompt') ? { negative_prompt: negativePrompt } : {}),
  };
}

function offeredSize(asked: string | null, field: string, { id, nanoUsdPerImage }: ImageModel): string {
  const sizes = [...nanoUsdPerImage.keys()];
  if (asked === null) return sizes[0] as string;
  if (nanoUsdPerImage.has(asked)) return asked;
  throw fieldError(field, `The model ${id} does not support the size ${asked}. It supports ${sizes.join(', ')}`);
}

function offeredFormat(asked: ImageFormat | null, field: string, { id, formats }: ImageModel): ImageFormat {
  if (asked === null) return formats[0] as ImageFormat;
  if (formats.includes(asked)) return asked;
  throw fieldError(field, `The model ${id} does not support the format ${asked}. It supports ${formats.join(', ')}`);
}
