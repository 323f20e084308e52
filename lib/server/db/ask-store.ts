import { isApiError } from '@/lib/protocol/errors';
import { storeUnavailable } from './postgres/store-unavailable';
import { kindOfFailure } from './postgres/failure';

/**
 * Does work that asks the store and nothing else.
 * @throws ApiError STORE_UNAVAILABLE (503) where the database could not be asked, or went away meanwhile; whatever
 *   else the work throws, as it is.
 */
export async function askStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOurs = isApiError(error) || error instanceof TypeError || error instanceof RangeError;
    if (isOurs || kindOfFailure(error) === 'refused') throw error;
    throw storeUnavailable(error);
  }
}
