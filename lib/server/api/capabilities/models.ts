import { model } from '../model';
import { type ModelCatalogues, models } from '../models';
import type { Capability } from './capability';
import type { ChatCapability } from './chat';

type Catalogues = Omit<ModelCatalogues, 'chat' | 'seen'>;
type Sold = { [Kind in keyof Catalogues]: { models: Catalogues[Kind] } };

/** Lists the models of all capabilities. */
export function openModels(chat: ChatCapability, sold: Sold): Capability {
  return {
    endpoints: ({ auth }) => {
      const catalogues = {
        auth,
        chat: chat.current.models,
        seen: chat.seen,
        speech: sold.speech.models,
        embeddings: sold.embeddings.models,
        images: sold.images.models,
        transcriptions: sold.transcriptions.models,
        video: sold.video.models,
      };
      return [models(catalogues), model(catalogues)];
    },
  };
}
