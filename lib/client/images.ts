import { list, object } from './answer-schema';
import { base64Bytes } from './base64-bytes';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

interface ImageRequest {
  model: string;
  prompt: string;
  /** One of the model's sizes. Default: the first. */
  size?: string;
}

const generations = object({ data: list(object({ b64_json: base64Bytes })) });

/** Generates images and returns their bytes without checking them. Rejects with GatewayError or UnreachableError. */
export async function generateImages(
  options: TurnpikeClientOptions,
  request: ImageRequest,
  callOptions?: CallOptions,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { data } = await fitting(
    generations,
    await exchanger(options)('POST', '/api/v1/images/generations', {
      ...callOptions,
      requestText: JSON.stringify(request),
    }),
  );
  return data.map(({ b64_json: bytes }) => bytes);
}
