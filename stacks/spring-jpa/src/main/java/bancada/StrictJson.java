// SPDX-License-Identifier: Apache-2.0
package bancada;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.stereotype.Component;

import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** Refuses a number or boolean where a text is due; there is no property for that. */
@Component
class StrictJson implements JsonMapperBuilderCustomizer {

    @Override
    public void customize(JsonMapper.Builder builder) {
        builder.withCoercionConfig(LogicalType.Textual, texts -> {
            texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
            texts.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
            texts.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
        });
    }
}
