import { describe, expect, it } from '@jest/globals';
import { parseMultipart } from '../../src/wordpress/php/multipart.ts';
import { PhpFloat, valuesOf } from '../../src/wordpress/php/values.ts';
import { RestRequest } from '../../src/wordpress/request/rest-request.ts';
import { RestResponse } from '../../src/wordpress/response/rest-response.ts';
import { filterFields } from '../../src/wordpress/rest/filter-fields.ts';

describe('_fields', () => {
  it.each([new PhpFloat(1e15), new PhpFloat(1.5), 7, 12n])(
    'that is the number %p names no member',
    (asked) => {
      const request = new RestRequest('POST', '/notifier/v1/x');
      request.parameters.POST.set('_fields', asked);
      const response = new RestResponse({ id: 1 });
      filterFields(response, request);
      expect(valuesOf(response.data as never)).toEqual([]);
    },
  );

  it('that is a float among names keeps the member of that name', () => {
    const request = new RestRequest('POST', '/notifier/v1/x');
    request.parameters.POST.set('_fields', ['id', new PhpFloat(2)]);
    const response = new RestResponse(
      new Map([
        ['2', 'two'],
        ['id', 'one'],
        ['3', 'three'],
      ]),
    );
    filterFields(response, request);
    expect(valuesOf(response.data as never)).toEqual(['two', 'one']);
  });
});

describe('a multipart body', () => {
  const part = (name: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f.txt"\r\n\r\nx\r\n`;
  const filesOf = (...names: string[]): string[] => {
    const bytes = Buffer.from(`${names.map(part).join('')}--b--\r\n`);
    const body = parseMultipart(bytes, 'multipart/form-data; boundary=b');
    return (body?.files ?? []).map((file) => file.fieldName);
  };

  it('has no files after one whose brackets are bad', () => {
    expect(filesOf('one', 'two')).toEqual(['one', 'two']);
    expect(filesOf('one', '[x', 'two')).toEqual(['one']);
    expect(filesOf('a[b]c', 'two')).toEqual([]);
  });
});
