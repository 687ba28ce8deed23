package io.github.cdkflinkpipeline.dynamodb;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * The key of a DynamoDB table.
 *
 * @param types by the name of the attribute
 * @param sortKey null where there is none
 */
record TableKey(Map<String, ScalarAttributeType> types, String sortKey) {

  static TableKey of(TableDescription table) {
    List<KeySchemaElement> key = table.keySchema();
    Map<String, ScalarAttributeType> attributes =
        table.attributeDefinitions().stream()
            .collect(
                Collectors.toMap(
                    AttributeDefinition::attributeName, AttributeDefinition::attributeType));
    return new TableKey(
        key.stream()
            .map(KeySchemaElement::attributeName)
            .collect(Collectors.toMap(name -> name, attributes::get)),
        key.stream()
            .filter(element -> element.keyType() == KeyType.RANGE)
            .map(KeySchemaElement::attributeName)
            .findFirst()
            .orElse(null));
  }
}
