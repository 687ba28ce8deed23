// The CDK's own CloudFormation validator costs seconds and 300 MB in each test file; the tests that need it switch it on.
process.env.CDK_VALIDATION ??= 'false';
