import { nextRoute } from '@/lib/server/http/next-adapter';
import { audioSpeech } from '@/lib/server/api/audio/speech';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(audioSpeech);
