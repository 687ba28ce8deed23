import { redacted } from '../../lib/sql/redacted';

test.each([
  ['https://elastic:hunter2@es-1:9200', 'https://***@es-1:9200'],
  ['https://elastic:hun/ter2@es-1:9200', 'https://***@es-1:9200'],
  ['https://elastic:hun@ter2@es-1:9200', 'https://***@es-1:9200'],
  ['elastic:hunter2@es-1', '***@es-1'],
  ['mongodb+srv://u:hunter2@a,u:hunter2@b/db', 'mongodb+srv://***@b/db'],
  ['jdbc:postgresql://u:hunter2@db/x', 'jdbc:postgresql://***@db/x'],
  ['jdbc:oracle:thin:scott/hunter2@db:1521', 'jdbc:oracle:thin:***@db:1521'],
  ['jdbc:mysql://db/x?user=u&password=hunter2&ssl=true', 'jdbc:mysql://db/x?user=***&password=***&ssl=true'],
  ['jdbc:mysql://address=(host=h)(password=hunter2)/x', 'jdbc:mysql://address=(host=h)(password=***)/x'],
  ['x required username="u" password="hunter 2";', 'x required username=*** password=***;'],
  ['https://h/?sslPassword=hunter2', 'https://h/?sslPassword=***'],
  ['https://h/?access_token=hunter2', 'https://h/?access_token=***'],
])('%s loses its password', (text, shown) => {
  expect(redacted(text)).toBe(shown);
  expect(redacted(text)).not.toContain('ter2');
});

test.each(['https://es-1:9200', 'b-1:9098', 'jdbc:mysql://db:3306/x?useSSL=true', '@', ''])('%s holds none and stays', (text) => {
  expect(redacted(text)).toBe(text);
});
