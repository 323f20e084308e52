import type { Database } from '../../db/schema';
import { Embeddings } from '../../embeddings/embeddings';
import { Images } from '../../images/images';
import { Speech } from '../../speech/speech';
import { Transcriptions } from '../../transcriptions/transcriptions';
import { Video } from '../../video/video';
import { audioSpeech } from '../audio/speech';
import { audioTranscriptions } from '../audio/transcriptions';
import { createEmbeddings } from '../embeddings';
import { imageGenerate } from '../images/generate';
import { imageGenerations } from '../images/generations';
import { model } from '../model';
import { type ModelCatalogues, models } from '../models';
import { videoComplete } from '../video/complete';
import { videoQueue } from '../video/queue';
import { videoRetrieve } from '../video/retrieve';
import type { Capability, Ground } from './capability';
import type { ChatCapability } from './chat';

export function openSpeech({ config, log, memory }: Ground) {
  const speech = new Speech(config.speech, log, memory);
  return {
    speech,
    endpoints: ({ paidCalls }) => [audioSpeech({ paidCalls, speech })],
    close: () => speech.close(),
  } satisfies Capability & { speech: Speech };
}

export function openTranscriptions({ config, log, memory }: Ground) {
  const transcriptions = new Transcriptions(config.transcriptions, config.dataDir, log, memory);
  return {
    models: transcriptions.models,
    endpoints: ({ paidCalls }) => [audioTranscriptions({ paidCalls, transcriptions })],
    close: () => transcriptions.close(),
  } satisfies Capability & Pick<Transcriptions, 'models'>;
}

export function openEmbeddings({ config, log, memory }: Ground, chat: ChatCapability) {
  const embeddings = new Embeddings(config.embeddings, log, memory);
  return {
    models: embeddings.models,
    endpoints: ({ paidCalls }) => [createEmbeddings({ paidCalls, embeddings, chat: chat.current })],
    close: () => embeddings.close(),
  } satisfies Capability & Pick<Embeddings, 'models'>;
}

export function openImages({ config, log, memory, now }: Ground) {
  const images = new Images(config.images, log, memory);
  return {
    models: images.models,
    endpoints: ({ paidCalls }) => [imageGenerations({ paidCalls, images, now }), imageGenerate({ paidCalls, images })],
    close: () => images.close(),
  } satisfies Capability & Pick<Images, 'models'>;
}

/** Opens the video service, and resumes requests that an earlier process left unfinished. */
export async function openVideo({ config, log, now }: Ground, { db }: { db: Database }) {
  const video = await Video.open(config, { db, log, now });
  return {
    video,
    endpoints: ({ auth, paidCalls }) => [
      videoQueue({ paidCalls, video }),
      videoRetrieve({ auth, video }),
      videoComplete({ auth, video }),
    ],
    close: () => video.close(),
  } satisfies Capability & { video: Video };
}

type Catalogues = Omit<ModelCatalogues, 'chat' | 'seen'>;
type Sold = { [Kind in keyof Catalogues]: { models: Catalogues[Kind] } };

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
