import { DEFAULT_PAGE_BRAND, type PageBrand } from '@/lib/protocol/brand';
import { startedApi } from './served-api';

/** Returns the brand for a page that is being rendered. */
export function pageBrand(): PageBrand {
  return startedApi()?.brand ?? DEFAULT_PAGE_BRAND;
}
