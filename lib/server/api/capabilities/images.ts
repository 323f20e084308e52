import { Images } from '../../images/images';
import { imageGenerate } from '../images/generate';
import { imageGenerations } from '../images/generations';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Sells images. */
export function openImages({ config, log, memory, now }: Ground) {
  const images = new Images(config.images, log, memory);
  return {
    models: images.models,
    endpoints: ({ paidCalls }) => [imageGenerations({ paidCalls, images, now }), imageGenerate({ paidCalls, images })],
    close: () => images.close(),
  } satisfies Capability & Pick<Images, 'models'>;
}
