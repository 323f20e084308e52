// Makes a video, downloads it and deletes it from the gateway.
import { createTurnpike } from 'turnpike-client';
import { makeVideo, videoModels } from 'turnpike-client/video';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
const turnpike = createTurnpike({ url, account });
const [model] = await videoModels(turnpike);
const { media } = await makeVideo(turnpike, {
  model: model?.id ?? '',
  prompt: 'A toll gate at dawn',
  duration: model?.durations[0] ?? '',
  aspect_ratio: model?.aspectRatios[0] ?? '',
});
console.log(`${media.size} bytes of ${media.type}.`);
